import { countTokens, encode } from "gpt-tokenizer/encoding/o200k_base";

/** Texts are data: `<|endoftext|>` in a document is eleven characters, not an end mark. */
const plainText = { disallowedSpecial: new Set<string>() };

/** Name of the encoding, for captions and fingerprints. */
export const O200K = "o200k_base";

/** Tokens of a text in the o200k encoding. About 10 MB/s. */
export function countO200k(text: string): number {
  return countTokens(text, plainText);
}

/**
 * Whether a text has at most `limit` tokens. A token holds at least one byte, so short texts are
 * passed without encoding them.
 */
export function fitsO200k(text: string, limit: number): boolean {
  if (Buffer.byteLength(text) <= limit) return true;
  return encode(text, plainText).length <= limit;
}
