import { z } from "zod";

/** Largest `n` of a search, unless `k` is larger. */
const MOST_PASSAGES = 20;

export const interactRagConfig = z.strictObject({
  k: z.int().min(1).max(200).default(5).describe("chunks returned by a search that names no n"),
  B: z.int().min(1).max(1000).default(10).describe("tool calls for one question"),
  workflow: z
    .enum(["roles", "single"])
    .default("roles")
    .describe("planner, reasoner and executor as calls of their own, or one agent for all three"),
  includeMode: z
    .enum(["restrict", "pin"])
    .default("restrict")
    .describe("include_docs: search these documents alone, or guarantee each of them a place"),
});

export type InteractRagConfig = z.input<typeof interactRagConfig>;
export type InteractRagParameters = z.output<typeof interactRagConfig>;

/** Largest `n` that a search may ask for. */
export const mostPassages = ({ k }: Pick<InteractRagParameters, "k">): number =>
  Math.max(MOST_PASSAGES, k);
