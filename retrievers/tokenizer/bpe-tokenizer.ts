import { fingerprint } from "../../core/fingerprint.ts";
import { countO200k, O200K } from "../../core/o200k.ts";
import { memoisedCount } from "./memo.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * The named BPE for embedders without a tokenizer of their own. In its pattern a run of punctuation takes
 * the line breaks after it, so only blanks are seams.
 */
export function bpeTokenizer(): Tokenizer {
  return {
    id: O200K,
    fingerprint: fingerprint({ tokenizer: O200K, version: 1 }),
    seams: "blank",
    count: memoisedCount(countO200k),
  };
}
