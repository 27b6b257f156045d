import type { Fingerprint } from "../../core/fingerprint.ts";

/**
 * Where a text may be taken apart so that the parts' counts add up to the count of the whole:
 * `blank` = before a space or tab that follows a non-space, `line` = before a line break too,
 * `none` = nowhere for certain.
 */
export type Seams = "blank" | "line" | "none";

/** Counts the content pieces of a text; special pieces ([CLS] and the like) are never counted. */
export interface Tokenizer {
  /** `all-MiniLM-L6-v2`, `o200k_base`. */
  readonly id: string;
  readonly fingerprint: Fingerprint;
  /** The model's window less its special pieces; absent where there is no window. */
  readonly contentWindow?: number;
  readonly seams: Seams;
  count(text: string): number;
}

const SPACE = 32;
const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** First seam after `from` in `text`, or `end`. */
export function nextSeam(text: string, from: number, end: number, seams: Seams): number {
  if (seams === "none") return end;
  for (let at = from + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > SPACE) continue;
    const splits =
      code === SPACE ||
      code === TAB ||
      (seams === "line" && (code === LINE_FEED || code === CARRIAGE_RETURN));
    if (splits && !isSpace(text.charCodeAt(at - 1))) return at;
  }
  return end;
}

/** White space in the widest sense any tokenizer gives it, so that a run of it is never taken apart. */
export function isSpace(code: number): boolean {
  if (code <= SPACE) return true;
  if (code < 0x85) return false;
  return code === 0x85 || code === 0xfeff || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)));
}
