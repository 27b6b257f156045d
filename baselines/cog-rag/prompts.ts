import { loadPrompt } from "../../core/prompt-file.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

export const themePrompt = load("extract-theme");
export const entitiesPrompt = load("extract-entities");

/** Prompts of a question, in the order of its calls. */
export const prompts = {
  themeKeywords: load("theme-keywords"),
  draftSystem: load("draft-system"),
  draftQuestion: load("draft-question"),
  entityKeywords: load("entity-keywords"),
  finalSystem: load("final-system"),
  finalQuestion: load("final-question"),
};
