import { loadPrompt } from "../../core/prompt-file.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import type { PageIndexParameters } from "./config.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

const system = load("system");
const noDocument = load("no-document");
const tools = {
  document: load("get-document"),
  structure: load("get-document-structure"),
  content: load("get-page-content"),
};

export const toolDescriptions = {
  document: tools.document.text,
  structure: tools.structure.text,
  content: tools.content.text,
};

export const promptHashes = [system, noDocument, ...Object.values(tools), finalFormatPrompt].map(
  ({ hash }) => hash,
);

const finalFormat = finalFormatPrompt.render({
  source_kind: "Page numbers, or lines of headings,",
});

export function systemPrompt({ B }: PageIndexParameters): string {
  return system.render({ calls: String(B), final_format: finalFormat });
}

/** For a question that no document could be found for. */
export const noDocumentPrompt = noDocument.render({ final_format: finalFormat });
