import { join } from "node:path";
import { type Fingerprint, fingerprint } from "../../../core/fingerprint.ts";
import type { Json } from "../../../core/json.ts";
import type { ChatModel } from "../../../core/model.ts";
import type { PromptFile } from "../../../core/prompt-file.ts";

/** Everything that decides what a build makes; equal values share one artefact. */
export interface BuildWhat {
  /** `node-metadata`, `structure`, `wixqa-families`, `hypergraph-rag.extraction`. */
  kind: string;
  /** Hash of the corpus, or of the texts the units are made from. */
  corpus: string;
  model: { id: string; fingerprint: Fingerprint };
  /** `name@version` and hash of each prompt, by name. */
  prompts: { readonly [name: string]: Fingerprint };
  /** What else changes the artefact, the version of the code that reads the replies among it. */
  parameters: { readonly [name: string]: Json };
}

/** Puts a {@link BuildWhat} together from the things at hand. */
export function describeBuild(build: {
  kind: string;
  corpus: string;
  model: ChatModel;
  prompts: readonly PromptFile[];
  parameters: BuildWhat["parameters"];
}): BuildWhat {
  const { kind, corpus, model, prompts, parameters } = build;
  return {
    kind,
    corpus,
    model: { id: model.id, fingerprint: model.fingerprint },
    prompts: Object.fromEntries(
      prompts.map(({ name, version, hash }) => [`${name}@${version}`, hash]),
    ),
    parameters,
  };
}

/** `<home>/builds/<fingerprint>`: where a build's artefact, ledger and state lie. */
export function buildFolder(home: string, what: BuildWhat): string {
  return join(home, "builds", fingerprint(what));
}
