/** The three blocks of a final message (notes 1.6). */
export interface ExtractedAnswer {
  answer: string;
  reasoning: string;
  sources: readonly string[];
  /** False when there was no well-formed answer block and the rest of the message stands in. */
  parsed: boolean;
}

interface Block {
  /** Of the opening tag. */
  start: number;
  /** After the closing tag. */
  end: number;
  text: string;
}

/**
 * Reads a final message: the last well-formed `<answer>` block; else the text after the last `</reasoning>`;
 * else the whole message. Never throws; an empty result is the caller's outcome `empty`.
 */
export function extractAnswer(message: string): ExtractedAnswer {
  const answer = lastBlock(message, "answer");
  const reasoning = lastBlock(message, "reasoning", answer?.start);
  const sources = lastBlock(message, "sources");
  return {
    answer: answer?.text.trim() ?? remainder(message),
    reasoning: reasoning?.text.trim() ?? "",
    sources: sources === undefined ? [] : listItems(sources.text),
    parsed: answer !== undefined,
  };
}

/** The last `<name>...</name>` without another tag of that name inside, before `limit`. Tags in any case. */
function lastBlock(message: string, name: string, limit = message.length): Block | undefined {
  const lower = asciiLower(message.slice(0, limit));
  const open = `<${name}>`;
  const close = `</${name}>`;
  const openAt = lower.lastIndexOf(open, lower.lastIndexOf(close));
  const closeAt = openAt < 0 ? -1 : lower.indexOf(close, openAt);
  if (closeAt < 0) return undefined;
  return {
    start: openAt,
    end: closeAt + close.length,
    text: message.slice(openAt + open.length, closeAt),
  };
}

/** Lower case that keeps every position (`İ` grows under toLowerCase). */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What a message without an answer block says: after the reasoning, without stray tags or a sources block. */
function remainder(message: string): string {
  const reasoning = asciiLower(message).lastIndexOf("</reasoning>");
  const rest = reasoning < 0 ? message : message.slice(reasoning + "</reasoning>".length);
  const sources = lastBlock(rest, "sources");
  const kept =
    sources === undefined ? rest : `${rest.slice(0, sources.start)}${rest.slice(sources.end)}`;
  return kept.replace(/<\/?(?:answer|reasoning|sources)>/gi, "").trim();
}

function listItems(text: string): string[] {
  const items = text
    .split(/[,\n]/)
    .map((item) => item.replace(/^[\s\-*[\]"'`]+|[\s[\]"'`.]+$/g, ""))
    .filter((item) => item !== "" && item.toLowerCase() !== "none");
  return [...new Set(items)];
}
