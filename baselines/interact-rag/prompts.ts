import { loadPrompt } from "../../core/prompt-file.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import { type InteractRagParameters, mostPassages } from "./config.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

const executor = load("executor");
const single = load("single");
const tool = load("interact-search");
export const plannerPrompt = load("planner");
export const reasonerPrompt = load("reasoner");

export const toolDescription = tool.text;

/** Tool calls run in one turn (notes 5.4). */
export const CALLS_PER_TURN = 2;

/** Hashes of all prompts that a workflow uses. */
export const promptHashes = (workflow: InteractRagParameters["workflow"]): string[] =>
  (workflow === "single"
    ? [single, tool, finalFormatPrompt]
    : [executor, plannerPrompt, reasonerPrompt, tool, finalFormatPrompt]
  ).map(({ hash }) => hash);

/** The system prompt of the agent that calls the tool. */
export function systemPrompt(parameters: InteractRagParameters): string {
  return (parameters.workflow === "single" ? single : executor).render({
    k: String(parameters.k),
    most: String(mostPassages(parameters)),
    calls: String(parameters.B),
    calls_per_turn: String(CALLS_PER_TURN),
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the passages" }),
  });
}
