import { z } from "zod";

/** Parameters of RIT-RAG; the defaults are the paper's (section 5.1, App. K, App. N.1). */
export const ritRagConfig = z.strictObject({
  n: z
    .int()
    .min(1)
    .max(1000)
    .default(50)
    .describe("nodes selected for a sub-forest, ancestors not counted"),
  kPrime: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("chunks retrieved for a sub-forest (k'); 4n where absent"),
  B: z.int().min(1).max(1000).default(10).describe("tool calls for one question"),
  Bs: z.int().min(1).max(1000).default(3).describe("of these, get_toc_structure calls"),
  strictCurrentToc: z
    .boolean()
    .default(false)
    .describe("read only nodes of the latest table of contents, not of any shown before"),
  refuseTocAbove80: z
    .boolean()
    .default(false)
    .describe("refuse get_toc_structure once the context warning stands"),
  flatMetadata: z
    .boolean()
    .default(false)
    .describe("put summary and keywords beside the title instead of into a metadata object"),
});

export type RitRagConfig = z.input<typeof ritRagConfig>;

/** All parameters resolved. */
export interface RitRagParameters extends Required<z.output<typeof ritRagConfig>> {
  kPrime: number;
}

export function ritRagParameters(config: RitRagConfig): RitRagParameters {
  const parsed = ritRagConfig.parse(config);
  return { ...parsed, kPrime: parsed.kPrime ?? 4 * parsed.n };
}
