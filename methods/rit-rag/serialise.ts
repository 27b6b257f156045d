import type { Corpus, NodeMetadata } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { SubTree } from "./induce.ts";

export interface SerialiseOptions {
  metadata(node: NodeHandle): NodeMetadata | undefined;
  /** Summary and keywords beside the title instead of in an object of their own (A17). */
  flat: boolean;
}

type Described = Pick<Corpus, "nodeId" | "title" | "readable" | "subtreeEnd">;

/**
 * The sub-forest as the model sees it: a compact JSON array of trees, fields `id, title, is_readable,
 * metadata, nodes`, empty ones left out (A17, A18). No text, no scores. Written without recursion and without
 * building objects, because it is made for every query.
 */
export function serialiseSubForest(
  corpus: Described,
  trees: readonly SubTree[],
  options: SerialiseOptions,
): string {
  return `[${trees.map((tree) => serialiseTree(corpus, tree, options)).join(",")}]`;
}

function serialiseTree(corpus: Described, { nodes }: SubTree, options: SerialiseOptions): string {
  let json = "";
  const openEnds: NodeHandle[] = [];
  nodes.forEach((node, position) => {
    json += head(corpus, node, options);
    const next = nodes[position + 1];
    const end = corpus.subtreeEnd(node);
    if (next !== undefined && next < end) {
      json += ',"nodes":[';
      openEnds.push(end);
      return;
    }
    json += "}";
    while (openEnds.length > 0 && (next === undefined || next >= openEnds.at(-1)!)) {
      json += "]}";
      openEnds.pop();
    }
    if (next !== undefined) json += ",";
  });
  return json;
}

/** A node's object up to its children, not closed. */
function head(corpus: Described, node: NodeHandle, { metadata, flat }: SerialiseOptions): string {
  const id = JSON.stringify(corpus.nodeId(node));
  const title = JSON.stringify(corpus.title(node));
  const fields = metadataFields(metadata(node));
  const described = fields === "" ? "" : flat ? `,${fields}` : `,"metadata":{${fields}}`;
  return `{"id":${id},"title":${title},"is_readable":${corpus.readable(node)}${described}`;
}

function metadataFields(metadata: NodeMetadata | undefined): string {
  const fields: string[] = [];
  if (metadata?.summary) fields.push(`"summary":${JSON.stringify(metadata.summary)}`);
  if (metadata?.keywords?.length) fields.push(`"keywords":${JSON.stringify(metadata.keywords)}`);
  return fields.join(",");
}
