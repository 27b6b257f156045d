import { z } from "zod";
import { graphChunksSchema } from "../../pipelines/graph-chunks/index.ts";

const budget = (what: string) =>
  z
    .int()
    .min(1)
    .max(1_000_000)
    .default(4000)
    .describe(`most tokens of ${what} in the prompt, per side`);

/** Parameters of HyperGraphRAG; the defaults are upstream's. */
export const hypergraphRagConfig = z.strictObject({
  graphChunks: graphChunksSchema,
  gleanings: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe("rounds in which the model is asked for what it missed in a chunk"),
  summaryTokens: z
    .int()
    .min(1)
    .default(500)
    .describe("descriptions of an entity with so many tokens are summarised by the model"),
  topK: z.int().min(1).max(1000).default(60).describe("entities and hyperedges found per question"),
  sourceTokens: budget("source texts"),
  hyperedgeTokens: budget("hyperedges"),
  entityTokens: budget("descriptions of the hyperedges' entities"),
});

export type HypergraphRagConfig = z.input<typeof hypergraphRagConfig>;
export type HypergraphRagParameters = z.output<typeof hypergraphRagConfig>;
