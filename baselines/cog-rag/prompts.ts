import { loadPrompt } from "../../core/prompt-file.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

export const themePrompt = load("extract-theme");
export const entitiesPrompt = load("extract-entities");

export const themeKeywordsPrompt = load("theme-keywords");
export const draftSystemPrompt = load("draft-system");
export const draftQuestionPrompt = load("draft-question");
export const entityKeywordsPrompt = load("entity-keywords");
export const finalSystemPrompt = load("final-system");
export const finalQuestionPrompt = load("final-question");

/** Prompts of a question, for the method's fingerprint. */
export const questionPrompts = [
  themeKeywordsPrompt,
  draftSystemPrompt,
  draftQuestionPrompt,
  entityKeywordsPrompt,
  finalSystemPrompt,
  finalQuestionPrompt,
];
