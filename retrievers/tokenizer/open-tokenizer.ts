import { bpeTokenizer } from "./bpe-tokenizer.ts";
import { modelTokenizer } from "./model-tokenizer.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** The embedding model's own tokenizer where it has a folder with one, else the named BPE (A1). */
export function openTokenizer(encoderFolder: string | undefined): Tokenizer {
  return encoderFolder === undefined ? bpeTokenizer() : modelTokenizer(encoderFolder);
}
