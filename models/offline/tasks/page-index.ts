import type { Json } from "../../../core/json.ts";
import { isObject, readConversation, resultItems, textField } from "../conversation.ts";
import { type Evidence, extractAnswerFrom } from "../extract.ts";
import { extractiveAnswer, type OfflineTask, toolTurn } from "../task.ts";
import { bestNodes, type SeenNode } from "./rit-rag.ts";

/** From this share on nothing further is fetched. */
const CLEAR_COVERAGE = 0.6;
const MOST_READS = 3;
/** Pages fetched of one section, from its first. */
const PAGES_OF_SECTION = 3;

/** A section and the pages or the line it is fetched by. */
interface Section extends SeenNode {
  from: number;
  to: number;
}

/** `page-index.turn`: the document, its structure, the pages of the closest sections, answer. */
export const pageIndexTurn: OfflineTask = (request) => {
  const { question, calls, mustAnswer } = readConversation(request);
  const made = (name: string) => calls.filter((call) => call.name === name);
  const [document] = made("get_document");
  const structures = made("get_document_structure");
  const reads = made("get_page_content");
  const title = isObject(document?.result) ? textField(document.result, "name") : "";
  const sections = structures.flatMap(({ result }) => sectionsOf(result));
  const evidence = reads.flatMap(({ result }) => evidenceOf(result, title, sections));
  if (mustAnswer) return extractiveAnswer(question, evidence);
  if (document === undefined) return toolTurn("Which document is it?", "get_document", {});
  if (structures.length === 0) {
    return toolTurn("What does it hold?", "get_document_structure", {});
  }
  const { coverage } = extractAnswerFrom(question, evidence);
  const fetched = new Set(reads.flatMap(({ result }) => pagesOf(result).map(({ page }) => page)));
  const open = sections.filter(({ from, to }) => !range(from, to).every((n) => fetched.has(n)));
  if (coverage >= CLEAR_COVERAGE || reads.length >= MOST_READS || open.length === 0) {
    return extractiveAnswer(question, evidence);
  }
  const chosen = new Set(bestNodes(question, open));
  const numbers = open
    .filter(({ id }) => chosen.has(id))
    .flatMap(({ from, to }) => range(from, to))
    .filter((number) => !fetched.has(number));
  const pages = [...new Set(numbers)].sort((a, b) => a - b).join(",");
  const covered = `${Math.round(coverage * 100)}% of the question is covered.`;
  return toolTurn(`${covered} These sections look closest.`, "get_page_content", { pages });
};

function range(from: number, to: number): number[] {
  const last = Math.min(to, from + PAGES_OF_SECTION - 1);
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
}

/** Sections that can be fetched, by the numbers the structure gives them. */
function sectionsOf(result: Json): Section[] {
  const sections: Section[] = [];
  const open = resultItems(result, "structure").map((node) => ({ node, above: "" }));
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    const { node, above } = step;
    const title = textField(node, "title");
    const path = above === "" ? title : `${above} > ${title}`;
    const own = `${title} ${textField(node, "summary")}`;
    const from = node.start_index ?? node.line_num;
    const to = node.end_index ?? node.line_num;
    if (typeof from === "number" && typeof to === "number") {
      sections.push({ id: textField(node, "node_id"), path, own, tree: 0, from, to });
    }
    open.unshift(
      ...resultItems(node.nodes ?? [], "nodes").map((child) => ({ node: child, above: path })),
    );
  }
  return sections;
}

function pagesOf(result: Json): { page: number; content: string }[] {
  return resultItems(result, "pages").flatMap((item) =>
    typeof item.page === "number" ? [{ page: item.page, content: textField(item, "content") }] : [],
  );
}

function evidenceOf(result: Json, title: string, sections: readonly Section[]): Evidence[] {
  return pagesOf(result)
    .filter(({ content }) => content !== "")
    .map(({ page, content }) => ({
      id: String(page),
      heading: [
        title,
        ...sections.filter(({ from, to }) => from <= page && page <= to).map(({ path }) => path),
      ].join(" > "),
      text: content,
    }));
}
