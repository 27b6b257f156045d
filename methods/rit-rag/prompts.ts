import { fingerprint } from "../../core/fingerprint.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import type { RitRagParameters } from "./config.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

const system = load("system");
const metadataFull = load("metadata-full");
const tocTool = load("get-toc-structure");
const contentTool = load("get-content");

export const toolDescriptions = { toc: tocTool.text, content: contentTool.text };

export const promptsFingerprint = fingerprint(
  [system, metadataFull, tocTool, contentTool, finalFormatPrompt].map((prompt) => prompt.hash),
);

/** The system prompt. Where the corpus has titles only (EntDocs), nothing is said about summaries and keywords. */
export function systemPrompt(
  { B, Bs, flatMetadata }: RitRagParameters,
  metadataKind: string,
): string {
  const described = metadataKind !== "titles";
  const place = flatMetadata ? "beside the title perhaps" : "`metadata`: perhaps";
  return system.render({
    metadata_paragraph: described ? metadataFull.render({ metadata_place: place }) : "",
    hint_kinds: described ? ", summaries and keywords" : "",
    calls: String(B),
    toc_calls: String(Bs),
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the nodes" }),
  });
}
