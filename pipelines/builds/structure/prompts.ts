import { loadPrompt } from "../../../core/prompt-file.ts";
import { repairPrompt } from "../reply/ask-json.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

/** What the induction asks a model, by the task names after `structure.`. */
export const structurePrompts = {
  "toc-detect": load("toc-detect"),
  "toc-numbers": load("toc-numbers"),
  "toc-transform": load("toc-transform"),
  "toc-complete": load("toc-complete"),
  "toc-continue": load("toc-continue"),
  "toc-pages": load("toc-pages"),
  "section-start": load("section-start"),
  "toc-fill": load("toc-fill"),
  "outline-first": load("outline-first"),
  "outline-next": load("outline-next"),
  "title-on-page": load("title-on-page"),
  "title-first": load("title-first"),
};

export type StructureTask = Exclude<keyof typeof structurePrompts, "toc-continue">;

export const allStructurePrompts = [...Object.values(structurePrompts), repairPrompt];
