import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { fingerprint } from "../../core/fingerprint.ts";
import { memoisedCount } from "./memo.ts";
import type { Tokenizer } from "./tokenizer.ts";

const NAME = "o200k_base";
/** Special tokens written out in a document are plain text, not commands. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * The named BPE for embedders without a tokenizer of their own. In its pattern a run of punctuation takes
 * the line breaks after it, so only blanks are seams.
 */
export function bpeTokenizer(): Tokenizer {
  return {
    id: NAME,
    fingerprint: fingerprint({ tokenizer: NAME, version: 1 }),
    seams: "blank",
    count: memoisedCount((text) => countTokens(text, PLAIN)),
  };
}
