import type { Corpus, NodeMetadata } from "./corpus/corpus.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { NodeHandle, QuestionId } from "./ids.ts";
import type { ChatModel } from "./model.ts";
import type { Chunks, Retriever } from "./retriever.ts";
import type { Tracer } from "./trace.ts";

/** How answering a question ended. */
export type Outcome =
  | "answered"
  | "empty"
  | "truncated"
  | "refused"
  | "budget_exhausted"
  | "context_overflow"
  | "error";

/** Text embeddings: rows of L2-normalised vectors, inner product = cosine. */
export interface Embedder {
  readonly id: string;
  readonly fingerprint: Fingerprint;
  readonly dimensions: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** Only for models that encode a query unlike a passage; absent = `embed`. */
  embedQuery?(text: string, signal?: AbortSignal): Promise<Float32Array>;
}

/** Summaries and keywords by node; titles only until the metadata build has run. */
export interface NodeMetadataSource {
  /** `titles`, or the fingerprint of the build. Part of the caption. */
  readonly kind: string;
  get(node: NodeHandle): NodeMetadata | undefined;
}

/** What all methods of a run share: one corpus, one chunk table, one retriever. */
export interface SharedResources {
  corpus: Corpus;
  chunks: Chunks;
  retriever: Retriever;
  embedder: Embedder;
  metadata: NodeMetadataSource;
}

/** What a method gets to answer one question with. Nothing of it survives the question. */
export interface MethodContext extends SharedResources {
  model: ChatModel;
  tracer: Tracer;
  signal: AbortSignal;
}

/** What a method gets to build its own artefacts (graphs) with; `model` is the preparation model, billed as `build`. */
export interface BuildContext extends SharedResources {
  model: ChatModel;
  /** Folder of this build, `builds/<fingerprint>/`. The method owns its contents. */
  folder: string;
  signal: AbortSignal;
  /** Model calls under way at once; default 8. */
  concurrency?: number;
  /** Use an artefact that is unfinished or of which too much failed. */
  force?: boolean;
  /** Progress: units done of all. */
  progress(done: number, total: number, unit: string): void;
}

/** The method's view of a question: no gold. */
export interface AskedQuestion {
  id: QuestionId;
  text: string;
}

export interface MethodAnswer {
  outcome: Outcome;
  /** The answer block alone. */
  answer: string;
  /** The reasoning block of the final message, where there is one. */
  reasoning: string;
  /** Ids the model names as its sources, as given. */
  sources: readonly string[];
  /** Marks for the record: `noRead`, `fallbackUsed`, `forced`, `unparsedAnswer`. */
  flags?: readonly string[];
}

export type Fit = { fits: true } | { fits: false; reason: string };

/** A way to answer questions over a corpus. Built once per run by its factory, called for many questions at once. */
export interface Method {
  /** `rit-rag`, `vanilla`, `agentic-search`: the registry's name. */
  readonly name: string;
  /** As tables print it: `RIT-RAG`. */
  readonly title: string;
  /** Prompts, parameters and version of the method; not corpus, retriever or model. */
  readonly fingerprint: Fingerprint;
  /** Whether its reads count for precision and recall (graph methods: false). */
  readonly scoredReads: boolean;
  /** Its own chunking, as a footnote says it, where the method cannot use the shared chunks (graph methods). */
  readonly ownChunking?: string;
  /** Whether the method makes sense on a corpus of this shape; absent = always. */
  fits?(corpus: Corpus): Fit;
  /** What decides the artefacts of `build`, beside corpus and model; absent = `fingerprint`. */
  buildFingerprint?(shared: SharedResources): Fingerprint;
  /** Makes or opens the method's artefacts. Idempotent and resumable. */
  build?(context: BuildContext): Promise<void>;
  /** Answers one question. Model failures are thrown as `ModelError`; everything else that goes wrong in a tool stays inside. */
  answer(question: AskedQuestion, context: MethodContext): Promise<MethodAnswer>;
}
