import type { UnscoredReason } from "../../core/record.ts";

/** What a judge's reply says, or why it says nothing. */
export type Verdict =
  | { readable: true; correct: boolean }
  | { readable: false; reason: Extract<UnscoredReason, "parse"> };

const UNREADABLE: Verdict = { readable: false, reason: "parse" };
const WORD = /\b(?:true|false)\b/gi;
/** A verdict word that is all its line or sentence says, perhaps after a label. */
const CLOSING =
  /(?:^|[.!?:;\n]|\b(?:verdict|judge?ment|answer|result|conclusion|decision)(?: is)?:?|\b(?:so|therefore|hence|thus),?)\s*(?:true|false)$/i;
const OPENING = /^(?:true|false)(?=$|[.,:;!\n]|\s+[-\u2013\u2014])/i;

/**
 * Reads a verdict from a judge's reply: the bare word in any case, quoted, in bold, in a fence, as the one truth
 * value of a JSON object, or as the word that opens or closes prose. Anything that could be read two ways is
 * unreadable, never wrong (behaviour 21): nothing, both words, a verdict word inside a sentence, a negated one.
 */
export function parseVerdict(reply: string): Verdict {
  const text = withoutThinking(reply).trim();
  const body = withoutFence(text);
  if (body.startsWith("{")) return parseObject(body);
  const plain = body.replace(/[*_`"'\u201c\u201d\u2018\u2019#>]/g, "").trim();
  const words = new Set((plain.match(WORD) ?? []).map((word) => word.toLowerCase()));
  if (words.size !== 1) return UNREADABLE;
  const correct = words.has("true");
  const tail = plain.replace(/[\s.!]+$/, "");
  return OPENING.test(plain) || CLOSING.test(tail) ? { readable: true, correct } : UNREADABLE;
}

/** The verdict of a JSON object: its only field that holds a truth value. */
function parseObject(body: string): Verdict {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return UNREADABLE;
  }
  const truths = Object.values(value as object).flatMap((field) =>
    typeof field === "boolean"
      ? [field]
      : typeof field === "string" && /^(?:true|false)$/i.test(field.trim())
        ? [field.trim().toLowerCase() === "true"]
        : [],
  );
  return truths.length === 1 ? { readable: true, correct: truths[0]! } : UNREADABLE;
}

/** Without the thinking that some models print before their reply. */
export function withoutThinking(reply: string): string {
  return reply.replace(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, "");
}

/** The content of a fenced block where the reply is or ends in one, else the reply. */
export function withoutFence(text: string): string {
  const fence = /```[a-z]*\s*\n?([\s\S]*?)```\s*$/i.exec(text);
  return (fence?.[1] ?? text).trim();
}
