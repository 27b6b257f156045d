import { z } from "zod";

const positive = z.number().int().positive();
const json: z.ZodType<unknown> = z.unknown();

const datasetSchema = z.union([
  z.string().describe("A data set's name: wixqa, qasper, financebench, entqabench, own."),
  z
    .strictObject({
      name: z.string(),
      options: z
        .record(z.string(), json)
        .default({})
        .describe("The loader's options, such as filings or split; see the data set's README."),
      metadata: z
        .enum(["titles", "build"])
        .optional()
        .describe("For this data set instead of the experiment's own setting."),
    })
    .describe("A data set with options."),
]);

const analyzerSchema = z
  .strictObject({
    tokenizer: z.literal("unicode-word").default("unicode-word"),
    lowercase: z.boolean().default(true),
    stem: z.enum(["porter"]).optional(),
    stopWords: z.enum(["lucene-33"]).optional(),
  })
  .describe("How BM25 cuts text into terms (A7: lower-case words, no stemming, no stop list).");

const retrievalSchema = z.strictObject({
  chunk: z
    .strictObject({
      maxTokens: positive.default(512).describe("Longest chunk; the encoder's window if smaller."),
      overlap: z.number().int().nonnegative().default(0),
      sentences: z.boolean().default(false).describe("Snap cuts to sentence ends (A2)."),
      prefixPath: z.boolean().default(false).describe("Index the title path with the text (A3)."),
    })
    .prefault({}),
  bm25: z
    .strictObject({
      k1: z.number().positive().default(1.5),
      b: z.number().min(0).max(1).default(0.75),
      analyzer: analyzerSchema.prefault({}),
    })
    .prefault({}),
  kappa: z.number().positive().default(60).describe("Constant of reciprocal rank fusion."),
  hnswAboveChunks: positive.default(2_000_000).describe("Exact search up to this size (A8)."),
});

const samplingSchema = z.strictObject({
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: positive.optional(),
  minP: z.number().min(0).max(1).optional(),
  reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
  seed: z.number().int().optional(),
  maxTokens: positive.optional().describe("Longest reply in tokens."),
});

const limitsSchema = z.strictObject({
  concurrency: positive.default(8).describe("Questions answered at once."),
  questions: positive.optional().describe("First N questions of each data set, in file order."),
  maxCostUsd: z.number().positive().optional().describe("Stop before spending more (exit 4)."),
  costRoles: z
    .array(z.enum(["answer", "build", "judge"]))
    .default(["answer", "build", "judge"])
    .describe("Whose money the cap covers."),
  maxErrorShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe("Share of errors or unscored answers above which a run ends with exit 3."),
  maxRetries: z.number().int().nonnegative().default(5).describe("Retries of one model call."),
  maxRetryAfterSeconds: positive
    .default(300)
    .describe("Longest wait a provider may ask for before the call fails."),
});

const buildsSchema = z.strictObject({
  structure: z
    .enum(["given", "induced"])
    .default("given")
    .describe(
      "Trees of documents with pages: as loaded, or induced by the build model (notes 6.2).",
    ),
  keepOutlines: z
    .boolean()
    .default(true)
    .describe("Documents with an outline of their own keep it where trees are induced."),
  batchShortNodes: z
    .boolean()
    .default(false)
    .describe("Short nodes share a call of the metadata build."),
});

/** An experiment: what `ritbench run` executes. Unknown fields are errors. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]*$/i, "letters, digits, dot, dash and underscore only")
      .describe("Name of the experiment; part of the run's id."),
    description: z.string().optional(),
    datasets: z.array(datasetSchema).min(1),
    methods: z.array(z.string()).min(1).describe("Registry names, in the order of the table."),
    models: z.array(z.string()).min(1).describe("Generators, such as anthropic:claude-haiku-4-5."),
    sampling: z
      .record(z.string(), samplingSchema)
      .default({})
      .describe("Sampling by model id; absent = the defaults of configs/models.yaml."),
    buildModel: z
      .string()
      .optional()
      .describe("Model of the builds (metadata, graphs); absent = the first of models."),
    metadata: z
      .enum(["titles", "build"])
      .default("titles")
      .describe("What trees carry beside titles: nothing, or the summaries of the metadata build."),
    builds: buildsSchema.prefault({}),
    judge: z
      .union([
        z.string().describe("offline:lexical, or the model of the data set's binary judge."),
        z.strictObject({
          models: z.array(z.string()).min(1).describe("Judge models; several vote."),
          vote: z.enum(["majority", "unanimity"]).default("majority"),
          unscoredAs: z.enum(["unscored", "wrong"]).default("unscored"),
        }),
      ])
      .default("offline:lexical"),
    scorers: z
      .array(z.string())
      .default(["token-recall", "evidence"])
      .describe("Further judges and scorers by registry name."),
    embeddings: z
      .string()
      .default("local:Alibaba-NLP/gte-modernbert-base")
      .describe(
        "local:<folder or hub id>, openai:<model>, openai-compatible:<model>@<url>, offline:hashing.",
      ),
    retrieval: retrievalSchema.prefault({}),
    parameters: z
      .record(z.string(), z.record(z.string(), json))
      .default({})
      .describe("Parameters by method name, such as rit-rag: {n: 50, kPrime: 200}."),
    repeats: positive.default(1).describe("How often each question is asked."),
    limits: limitsSchema.prefault({}),
  })
  .describe("An experiment of ritbench.");

/** A validated experiment with every default filled in. */
export type Config = z.infer<typeof configSchema>;
