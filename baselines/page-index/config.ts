import { z } from "zod";

export const pageIndexConfig = z.strictObject({
  k: z.int().min(1).max(10_000).default(50).describe("chunks that choose the document"),
  B: z.int().min(1).max(1000).default(10).describe("tool calls for one question"),
  docScore: z
    .enum(["sqrt", "linear"])
    .default("sqrt")
    .describe("divide a document's sum by the root of n + 1, or by n + 1"),
  selection: z
    .enum(["dense", "hybrid"])
    .default("dense")
    .describe("scores of the chunks: cosine, or the fused score"),
});

export type PageIndexConfig = z.input<typeof pageIndexConfig>;
export type PageIndexParameters = z.output<typeof pageIndexConfig>;
