import type { Json } from "../../../core/json.ts";
import { isObject, readConversation, resultItems, textField } from "../conversation.ts";
import { type Evidence, extractAnswerFrom } from "../extract.ts";
import { extractiveAnswer, type OfflineTask, toolTurn } from "../task.ts";
import { contentWords, nameStemsOf, stemsOf } from "../words.ts";

/** A readable node as the tables of contents show it. */
export interface SeenNode {
  id: string;
  /** Titles from the root down to the node. */
  path: string;
  /** Its own title and metadata. */
  own: string;
  /** Position of its tree, best first, and the number of the table of contents. */
  tree: number;
}

/** Nodes fetched in one call. */
const AT_ONCE = 4;
/** From this share on nothing further is fetched. */
const CLEAR_COVERAGE = 0.6;
const MOST_READS = 2;
const MOST_TOCS = 2;
/** How much a word in a title above counts beside one in the node's own title or summary; names count in full. */
const PATH_SHARE = 0.5;
/** How much being in the best tree counts, in words. */
const FIRST_TREE = 0.75;

/** `rit-rag.turn`: table of contents for the question, the nodes whose titles share most with it, answer. */
export const ritRagTurn: OfflineTask = (request) => {
  const { question, calls, mustAnswer } = readConversation(request);
  const tocs = calls.filter(({ name }) => name === "get_toc_structure");
  const reads = calls.filter(({ name }) => name === "get_content");
  const nodes = seenNodes(tocs.map(({ result }) => result));
  const evidence = reads.flatMap(({ result }) =>
    resultItems(result, "nodes")
      .filter((item) => textField(item, "content") !== "")
      .map((item): Evidence => {
        const id = textField(item, "id");
        return { id, heading: nodes.get(id)?.path ?? "", text: textField(item, "content") };
      }),
  );
  if (mustAnswer) return extractiveAnswer(question, evidence);
  if (tocs.length === 0) {
    return toolTurn("Nothing is known yet.", "get_toc_structure", { query: question });
  }
  const { coverage } = extractAnswerFrom(question, evidence);
  if (coverage >= CLEAR_COVERAGE || reads.length >= MOST_READS) {
    return extractiveAnswer(question, evidence);
  }
  const asked = new Set(reads.flatMap((read) => idsOf(read.arguments)));
  const ids = bestNodes(
    question,
    [...nodes.values()].filter(({ id }) => !asked.has(id)),
  );
  if (ids.length > 0) {
    const covered = `${Math.round(coverage * 100)}% of the question is covered.`;
    return toolTurn(`${covered} These sections look closest.`, "get_content", { ids });
  }
  if (nodes.size === 0 && tocs.length < MOST_TOCS) {
    const query = contentWords(question).join(" ");
    return toolTurn("The query matched nothing; bare words may.", "get_toc_structure", { query });
  }
  return extractiveAnswer(question, evidence);
};

/** The readable nodes of all tables of contents, by id. */
function seenNodes(results: readonly Json[]): Map<string, SeenNode> {
  const nodes = new Map<string, SeenNode>();
  for (const result of results) {
    resultItems(result, "trees").forEach((root, tree) => {
      const open = [{ node: root, above: "" }];
      for (let step = open.pop(); step !== undefined; step = open.pop()) {
        const { node, above } = step;
        const id = textField(node, "id");
        const title = textField(node, "title");
        const path = above === "" ? title : `${above} > ${title}`;
        const metadata = isObject(node.metadata) ? node.metadata : node;
        const keywords = Array.isArray(metadata.keywords) ? metadata.keywords.join(" ") : "";
        if (node.is_readable === true && !nodes.has(id)) {
          const own = `${title} ${textField(metadata, "summary")} ${keywords}`;
          nodes.set(id, { id, path, own, tree });
        }
        const children = resultItems(node.nodes ?? [], "nodes");
        for (const child of children.reverse()) open.push({ node: child, above: path });
      }
    });
  }
  return nodes;
}

/** The nodes with the best overlap of rare words; ties in the order shown. */
export function bestNodes(question: string, nodes: readonly SeenNode[]): string[] {
  const asked = [...new Set(stemsOf(question))];
  const names = nameStemsOf(question);
  const described = nodes.map((node) => ({
    node,
    own: new Set(stemsOf(node.own)),
    path: new Set(stemsOf(node.path)),
  }));
  const weights = asked.map((stem) => {
    const holding = described.filter(({ own, path }) => own.has(stem) || path.has(stem)).length;
    return Math.log(1 + (nodes.length + 1) / (holding + 1));
  });
  return described
    .map(({ node, own, path }, order) => {
      const overlap = asked.reduce((score, stem, i) => {
        const above = names.has(stem) ? 1 : PATH_SHARE;
        const share = own.has(stem) ? 1 : path.has(stem) ? above : 0;
        return score + share * weights[i]!;
      }, 0);
      return { id: node.id, order, score: overlap + FIRST_TREE / (1 + node.tree) };
    })
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, AT_ONCE)
    .map(({ id }) => id);
}

function idsOf(args: Json): string[] {
  const ids = isObject(args) ? args.ids : undefined;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
