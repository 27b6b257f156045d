import { loadPrompt } from "../../core/prompt-file.ts";
import { END_MARK, type RecordGrammar } from "../../pipelines/graph-records/read-records.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

/** How statements and entities are written (notes 7.2). */
export const grammar: RecordGrammar = {
  tags: ["hyper-relation", "entity"],
  fieldSeparator: "<|>",
  recordSeparator: "##",
};

const extract = load("extract");
const glean = load("glean");
const more = load("more");
export const systemPrompt = load("system");
export const questionPrompt = load("question");

export const extractionPrompts = [extract, glean, more];

/** Asks for the records of a text: a chunk, or a question. */
export function extractionPrompt(text: string): string {
  const { fieldSeparator, recordSeparator } = grammar;
  return extract.render({ text, field: fieldSeparator, record: recordSeparator, end: END_MARK });
}

export const gleaningPrompt = glean.render({ end: END_MARK });
export const morePrompt = more.text;
