import type { Corpus } from "../../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../../core/ids.ts";
import type { BuildUnit } from "../stage/request.ts";

/** Texts up to this many characters may share a call. */
const SHORT_CHARACTERS = 600;
const MOST_IN_BATCH = 8;

/** Nodes that are described in one call: one, or several short ones that follow each other. */
export interface MetadataUnit extends BuildUnit {
  nodes: readonly NodeHandle[];
}

/** Which nodes go together. Known from the text lengths alone, so that it need not be stored. */
export interface MetadataUnits {
  total: number;
  all(): Iterable<MetadataUnit>;
  /** Key of the unit that a node is in; undefined for a node without text. */
  keyOf(node: NodeHandle): string | undefined;
}

/** Units of a corpus in document order; nodes without text are in none. */
export function metadataUnits(corpus: Corpus, batchShortNodes: boolean): MetadataUnits {
  const firsts = new Int32Array(corpus.nodeCount).fill(-1);
  let total = 0;
  let open = -1;
  let inBatch = 0;
  for (let node = 0; node < corpus.nodeCount; node++) {
    const length = corpus.textLength(node as NodeHandle);
    if (length === 0) continue;
    const short = batchShortNodes && length <= SHORT_CHARACTERS;
    if (!short || open === -1 || inBatch === MOST_IN_BATCH) {
      total++;
      open = short ? node : -1;
      inBatch = 0;
    }
    firsts[node] = short ? open : node;
    inBatch++;
  }

  function unit(nodes: readonly NodeHandle[]): MetadataUnit {
    return {
      key: String(nodes[0]),
      nodes,
      size: nodes.reduce((sum, node) => sum + corpus.textLength(node), 0),
      text: () => nodes.map((node) => corpus.text(node)).join("\n\n"),
    };
  }

  return {
    total,
    *all() {
      let pending: NodeHandle[] = [];
      for (let node = 0; node < firsts.length; node++) {
        if (firsts[node] === -1) continue;
        if (pending.length > 0 && firsts[node] !== pending[0]) {
          yield unit(pending);
          pending = [];
        }
        pending.push(node as NodeHandle);
      }
      if (pending.length > 0) yield unit(pending);
    },
    keyOf(node) {
      const first = firsts[node] ?? -1;
      return first === -1 ? undefined : String(first);
    },
  };
}
