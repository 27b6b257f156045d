import { z } from "zod";
import { graphChunksSchema } from "../../pipelines/graph-chunks/index.ts";

const tokens = (preset: number, what: string) =>
  z.int().min(1).max(1_000_000).default(preset).describe(what);

/** From how many tokens on the model summarises a joined text. */
const summariseFrom = z.strictObject({
  entity: tokens(500, "descriptions of an entity or a key entity"),
  properties: tokens(250, "further properties of an entity"),
  relation: tokens(750, "descriptions of a hyperedge, and joined themes"),
  keywords: tokens(100, "keywords of a hyperedge"),
});

/** Parameters of Cog-RAG; the defaults are upstream's. */
export const cogRagConfig = z.strictObject({
  graphChunks: graphChunksSchema,
  summariseFrom: summariseFrom.prefault({}),
  themeChunkIds: z
    .boolean()
    .default(true)
    .describe("embed a theme with hashes of its chunks before it, as upstream does; noise"),
  topK: z.int().min(1).max(1000).default(60).describe("themes, and entities, found per question"),
  sourceTokens: tokens(4000, "most tokens of source texts, per stage"),
  relationTokens: tokens(4000, "most tokens of themes, and of hyperedges"),
  entityTokens: tokens(4000, "most tokens of descriptions of the themes' key entities"),
});

export type CogRagConfig = z.input<typeof cogRagConfig>;
export type CogRagParameters = z.output<typeof cogRagConfig>;
