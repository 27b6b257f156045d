import type { NodeMetadataSource } from "../method.ts";
import type { Corpus } from "./corpus.ts";

/** Metadata that came with the corpus (ready-made trees); else titles only. */
export function corpusMetadata(corpus: Corpus): NodeMetadataSource {
  return { kind: "titles", get: (node) => corpus.metadata(node) };
}
