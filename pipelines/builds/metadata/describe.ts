import { z } from "zod";
import type { Corpus } from "../../../core/corpus/corpus.ts";
import { RitbenchError } from "../../../core/errors.ts";
import type { NodeHandle } from "../../../core/ids.ts";
import type { ChatModel } from "../../../core/model.ts";
import { countO200k, cutO200k, fitsO200k } from "../../../core/o200k.ts";
import { loadPrompt } from "../../../core/prompt-file.ts";
import { askJson, repairPrompt } from "../reply/ask-json.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));
const one = load("node-metadata");
const batch = load("node-metadata-batch");

export const metadataPrompts = [one, batch, repairPrompt];

/** Cap on the reply for one node (paper, Table 7). */
export const OUTPUT_TOKENS = 512;
const MOST_KEYWORDS = 8;
/** Room for the prompt's own words beside text and reply. */
const PROMPT_TOKENS = 1_000;

/** What the build stores for a node. */
export interface DescribedNode {
  node: number;
  summary: string;
  keywords: string[];
  /** Tokens at the end of the text that the model's window had no room for. */
  droppedTokens: number;
}

const keywords = z
  .union([z.array(z.string()), z.string().transform((line) => line.split(/[,;]/))])
  .nullish()
  .transform((found) => tidyKeywords(found ?? []));
const description = z.object({
  summary: z
    .string()
    .nullish()
    .transform((found) => fold(found ?? "")),
  keywords,
});
const descriptions = z.object({
  sections: z.array(
    description.extend({ id: z.union([z.string(), z.number()]).transform(String) }),
  ),
});

/**
 * Describes nodes that have text: one by one, or several short ones in one call. Of a shared reply only items
 * whose id was asked for and came once are taken; the other nodes are asked for by themselves.
 */
export async function describeNodes(
  corpus: Corpus,
  nodes: readonly NodeHandle[],
  model: ChatModel,
): Promise<DescribedNode[]> {
  const found = nodes.length > 1 ? await describeBatch(corpus, nodes, model) : new Map();
  const described: DescribedNode[] = [];
  for (const node of nodes) {
    const known = found.get(idOf(node));
    described.push(
      known === undefined ? await describeNode(corpus, node, model) : { node, ...known },
    );
  }
  return described;
}

/** Whether anything was said of a node. */
export function hasMetadata({ summary, keywords }: DescribedNode): boolean {
  return summary !== "" || keywords.length > 0;
}

async function describeNode(
  corpus: Corpus,
  node: NodeHandle,
  model: ChatModel,
): Promise<DescribedNode> {
  const { text, droppedTokens } = withinWindow(corpus.text(node), model);
  const title = fold(corpus.title(node));
  const { value } = await askJson(
    model,
    {
      task: "node-metadata",
      messages: [{ role: "user", content: one.render({ title, text }) }],
      maxTokens: OUTPUT_TOKENS,
      hints: { sections: [{ id: "", title, text }] },
    },
    description,
  );
  return { node, ...value, droppedTokens };
}

async function describeBatch(
  corpus: Corpus,
  nodes: readonly NodeHandle[],
  model: ChatModel,
): Promise<Map<string, Pick<DescribedNode, "summary" | "keywords">>> {
  const sections = nodes.map((node) => ({
    id: idOf(node),
    title: fold(corpus.title(node)),
    text: corpus.text(node),
  }));
  const content = batch.render({
    count: String(nodes.length),
    sections: sections
      .map(({ id, title, text }) => `<section id="${id}">\nHeading: ${title}\n${text}\n</section>`)
      .join("\n\n"),
  });
  const asked = new Set(sections.map(({ id }) => id));
  const found = new Map<string, Pick<DescribedNode, "summary" | "keywords">>();
  const twice = new Set<string>();
  try {
    const { value } = await askJson(
      model,
      {
        task: "node-metadata-batch",
        messages: [{ role: "user", content }],
        maxTokens: OUTPUT_TOKENS * nodes.length,
        hints: { sections },
      },
      descriptions,
      { allowCut: true },
    );
    for (const { id, ...metadata } of value.sections) {
      if (found.has(id)) twice.add(id);
      if (asked.has(id)) found.set(id, metadata);
    }
  } catch (error) {
    if (!(error instanceof RitbenchError) || error.code !== "E_REPLY_JSON") throw error;
  }
  for (const id of twice) found.delete(id);
  return found;
}

/** Not a mere count from one on, so that a reply that renumbers the sections is noticed. */
function idOf(node: NodeHandle): string {
  return `s${node}`;
}

function withinWindow(text: string, model: ChatModel): { text: string; droppedTokens: number } {
  const room = Math.max(1, model.contextTokens - OUTPUT_TOKENS - PROMPT_TOKENS);
  if (fitsO200k(text, room)) return { text, droppedTokens: 0 };
  const kept = cutO200k(text, room);
  return { text: kept, droppedTokens: countO200k(text.slice(kept.length)) };
}

function tidyKeywords(found: readonly string[]): string[] {
  const seen = new Set<string>();
  return found
    .map(fold)
    .filter((word) => word !== "" && !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()))
    .slice(0, MOST_KEYWORDS);
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
