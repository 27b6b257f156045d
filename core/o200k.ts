import { countTokens, decode, encode } from "gpt-tokenizer/encoding/o200k_base";

/** Texts are data: `<|endoftext|>` in a document is eleven characters, not an end mark. */
const plainText = { disallowedSpecial: new Set<string>() };

/** Characters of one kind in a row that are encoded together. */
const LONGEST_RUN = 512;

/** Longest run of characters that one token stands for (blanks). */
const MAX_TOKEN_CHARS = 128;

/** Name of the encoding, for captions and fingerprints. */
export const O200K = "o200k_base";

/** Tokens of a text in the o200k encoding. About 10 MB/s. */
export function countO200k(text: string): number {
  return boundedPieces(text).reduce((sum, piece) => sum + countTokens(piece, plainText), 0);
}

/**
 * Whether a text has at most `limit` tokens. A token holds at least one byte, so short texts are
 * passed without encoding them.
 */
export function fitsO200k(text: string, limit: number): boolean {
  return Buffer.byteLength(text) <= limit || countO200k(text) <= limit;
}

/** The longest leading part of a text with at most `limit` tokens; never half a character. */
export function cutO200k(text: string, limit: number): string {
  let tokens: number[] = [];
  for (const piece of boundedPieces(text.slice(0, limit * MAX_TOKEN_CHARS))) {
    tokens = tokens.concat(encode(piece, plainText));
    if (tokens.length >= limit) break;
  }
  let part = decode(tokens.slice(0, limit));
  while (!text.startsWith(part)) part = part.slice(0, -1);
  return part;
}

/**
 * Cuts runs of one kind of character (letters without a blank, a ruler of dashes) every `LONGEST_RUN`
 * characters: byte pair merging takes time with the square of a run's length, and a hostile or Chinese
 * document of 40,000 characters would stop the process for half a minute. Costs at most a token per cut.
 */
function boundedPieces(text: string): string[] {
  if (text.length <= LONGEST_RUN) return [text];
  const pieces: string[] = [];
  let from = 0;
  let runStart = 0;
  let runKind = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== runKind) {
      runKind = kind;
      runStart = at;
    } else if (at - runStart >= LONGEST_RUN && !isLowSurrogate(code)) {
      pieces.push(text.slice(from, at));
      from = at;
      runStart = at;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** Blank, ASCII punctuation, or anything else (letters, digits, all beyond ASCII). */
function kindOf(code: number): 0 | 1 | 2 {
  if (code === 32 || (code >= 9 && code <= 13)) return 0;
  const letterOrDigit =
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return code < 128 && !letterOrDigit ? 1 : 2;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
