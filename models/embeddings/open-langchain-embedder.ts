import { join } from "node:path";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { RitbenchError } from "../../core/errors.ts";
import { defaultRetryPolicy } from "../retry.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { langchainSource } from "./langchain-source.ts";
import type { OpenedEmbedder } from "./open-embedder.ts";
import { openVectorCache } from "./vector-cache.ts";

export interface OpenLangChainEmbedderOptions {
  /** `.ritbench` or RITBENCH_HOME: vectors are kept in `cache/embeddings`. */
  home: string;
  /** Names whatever changes a vector; absent = class, model, dimensions and address of the object. */
  id?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Any LangChain embeddings, with the vector cache before them. Retries are the object's own. Kept vectors are found
 * again by `id`, so another model must have another one.
 *
 * @throws RitbenchError E_EMBEDDINGS_ID when no id is given and the object does not say which model it is.
 */
export async function openLangChainEmbedder(
  embeddings: EmbeddingsInterface,
  { home, id = identityOf(embeddings), signal }: OpenLangChainEmbedderOptions,
): Promise<OpenedEmbedder> {
  const source = langchainSource({
    id,
    embeddings,
    identity: { id },
    distinctQueries: true,
    policy: { ...defaultRetryPolicy, maxRetries: 0 },
  });
  const cache = openVectorCache(join(home, "cache", "embeddings"));
  try {
    const embedder = await cachedEmbedder(source, cache, signal);
    return { embedder, offline: false, close: () => cache.close() };
  } catch (error) {
    await cache.close();
    throw error;
  }
}

function identityOf(embeddings: EmbeddingsInterface): string {
  const { model, modelName, dimensions, baseUrl, clientConfig } = embeddings as {
    model?: unknown;
    modelName?: unknown;
    dimensions?: unknown;
    baseUrl?: unknown;
    clientConfig?: { baseURL?: unknown };
  };
  const name = embeddings.constructor.name;
  const which = [model, modelName].find((value) => typeof value === "string" && value !== "");
  if (which === undefined) {
    throw new RitbenchError("E_EMBEDDINGS_ID", "the embeddings do not say which model they are", {
      where: name,
      expected: "a string in their field model",
      next: "give embeddingsId, a name that changes whenever the vectors would",
    });
  }
  const settings = [dimensions, baseUrl, clientConfig?.baseURL].filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return [`langchain:${name}/${which}`, ...settings].join(" ");
}
