import { bpeTokenizer } from "./bpe-tokenizer.ts";
import { modelTokenizer } from "./model-tokenizer.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** The tokenizer that cuts chunks: the encoder's own where it has one, else the named BPE. */
export function tokenizerFor({ tokenizerFolder }: { tokenizerFolder?: string }): Tokenizer {
  return tokenizerFolder === undefined ? bpeTokenizer() : modelTokenizer(tokenizerFolder);
}
