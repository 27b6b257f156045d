import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { NodeMetadataSource } from "../../core/method.ts";
import type { DocumentView } from "./document-view.ts";

/** Characters after which a result goes on in a further part or call (notes 6.5). */
export const PART_CHARS = 95_000;

/** A node as the model sees it; no text. */
interface Entry {
  title: string;
  node_id: string;
  start_index?: number;
  end_index?: number;
  line_num?: number;
  summary?: string;
  /** Repeated from an earlier part, to hang its further nodes on. */
  continued?: true;
  nodes?: Entry[];
}

export interface StructurePart {
  json: string;
  /** Nodes shown here for the first time, in document order. */
  nodes: readonly NodeHandle[];
}

/**
 * The document's tree without text, as JSON arrays of roots: one part, or several of at most `partChars` characters
 * each where it is larger. A part that begins inside a branch repeats the titles above.
 */
export function structureParts(
  { corpus, metadata }: { corpus: Corpus; metadata: NodeMetadataSource },
  view: DocumentView,
  partChars = PART_CHARS,
): StructurePart[] {
  const inView = new Set(view.nodes);
  const parts: StructurePart[] = [];
  let roots: Entry[] = [];
  let open = new Map<NodeHandle, Entry>();
  let nodes: NodeHandle[] = [];
  let chars = 2;
  const place = (node: NodeHandle, entry: Entry): void => {
    const parent = corpus.parent(node);
    const above = parent === -1 ? undefined : open.get(parent);
    if (above === undefined) roots.push(entry);
    else {
      above.nodes ??= [];
      above.nodes.push(entry);
    }
    open.set(node, entry);
    // The comma, and the array of its children should it get any.
    chars += JSON.stringify(entry).length + ',"nodes":[],'.length;
  };
  const flush = (): void => {
    parts.push({ json: JSON.stringify(roots), nodes });
    roots = [];
    open = new Map();
    nodes = [];
    chars = 2;
  };
  for (const node of view.nodes) {
    const entry = entryOf({ corpus, metadata }, view, node);
    const size = JSON.stringify(entry).length + ',"nodes":[],'.length;
    if (nodes.length > 0 && chars + size > partChars) flush();
    if (nodes.length === 0 && parts.length > 0) {
      for (const above of corpus.ancestors(node)) {
        if (!inView.has(above)) continue;
        place(above, {
          title: corpus.title(above),
          node_id: corpus.nodeId(above),
          continued: true,
        });
      }
    }
    place(node, entry);
    nodes.push(node);
  }
  flush();
  return parts;
}

function entryOf(
  { corpus, metadata }: { corpus: Corpus; metadata: NodeMetadataSource },
  view: DocumentView,
  node: NodeHandle,
): Entry {
  const extent = view.extent(node);
  const summary = metadata.get(node)?.summary;
  const place =
    extent === undefined
      ? {}
      : view.kind === "pages"
        ? { start_index: extent[0], end_index: extent[1] }
        : { line_num: extent[0] };
  return {
    title: corpus.title(node),
    node_id: corpus.nodeId(node),
    ...place,
    ...(summary ? { summary } : {}),
  };
}
