import { RitbenchError } from "../../core/errors.ts";
import { vendorUrls } from "../catalog.ts";
import type { RetryPolicy } from "../retry.ts";
import type { Time } from "../time.ts";
import { langchainSource } from "./langchain-source.ts";
import type { VectorSource } from "./vector-source.ts";

export interface OpenAiSourceOptions {
  id: string;
  model: string;
  /** Absent = OpenAI's own. */
  baseUrl?: string | undefined;
  key?: string | undefined;
  policy?: RetryPolicy | undefined;
  time?: Time | undefined;
}

/** Sizes of OpenAI's own models; those of other servers are learned from the first reply. */
const knownDimensions: { readonly [model: string]: number } = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};
/** Compatible servers without keys still want the header. */
const NO_KEY = "none";

/**
 * OpenAI's embeddings endpoint, or any server that speaks it (Ollama, vLLM, llama.cpp, TEI).
 *
 * @throws RitbenchError E_MODEL_KEY when OpenAI itself is meant and no key was given.
 */
export async function openAiSource(options: OpenAiSourceOptions): Promise<VectorSource> {
  const { id, model, baseUrl, key, policy, time } = options;
  if (baseUrl === undefined && (key === undefined || key === "")) {
    throw new RitbenchError("E_MODEL_KEY", `${id} needs an API key`, {
      next: "set OPENAI_API_KEY, or use --embeddings offline:hashing",
    });
  }
  const address = baseUrl ?? vendorUrls.openai!;
  const { OpenAIEmbeddings } = await import("@langchain/openai");
  const embeddings = new OpenAIEmbeddings({
    model,
    apiKey: key === undefined || key === "" ? NO_KEY : key,
    maxRetries: 0,
    stripNewLines: false,
    encodingFormat: "float",
    batchSize: 2048,
    configuration: { baseURL: address },
  });
  const dimensions = baseUrl === undefined ? knownDimensions[model] : undefined;
  return langchainSource({
    id,
    embeddings,
    identity: { model, baseUrl: address },
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(key === undefined ? {} : { key }),
    ...(policy === undefined ? {} : { policy }),
    ...(time === undefined ? {} : { time }),
  });
}
