import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { fingerprint } from "../../core/fingerprint.ts";
import { createLane, type Lane } from "../lane.ts";
import { toProviderError } from "../network/failures.ts";
import { defaultRetryPolicy, type RetryPolicy, sendWithRetries } from "../retry.ts";
import { systemTime, type Time } from "../time.ts";
import type { VectorSource } from "./vector-source.ts";

export interface LangChainSourceOptions {
  id: string;
  /** Any LangChain embeddings, with its own retries switched off (`maxRetries: 0`). */
  embeddings: EmbeddingsInterface;
  /** Everything that changes a vector: model, address, dimensions. */
  identity: { readonly [key: string]: string | number };
  dimensions?: number;
  /** True for models that encode a query unlike a passage. */
  distinctQueries?: boolean;
  /** Cut out of error messages. */
  key?: string;
  policy?: RetryPolicy;
  lane?: Lane;
  time?: Time;
}

const TEXTS_A_REQUEST = 64;
const REQUESTS_AT_ONCE = 4;

/**
 * Vectors from LangChain's `Embeddings` interface, in requests of 64 texts, with the gateway's retry layer.
 * A failed request is thrown as `ModelError`; what arrived before it has been handed over.
 */
export function langchainSource(options: LangChainSourceOptions): VectorSource {
  const { id, embeddings, identity, dimensions, distinctQueries, key = "" } = options;
  const time = options.time ?? systemTime;
  const lane = options.lane ?? createLane(REQUESTS_AT_ONCE, time);
  const policy = options.policy ?? defaultRetryPolicy;

  async function send<Reply>(request: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
    const attempt = async (): Promise<Reply> => {
      try {
        return await request();
      } catch (error) {
        throw toProviderError(error, key, time.now());
      }
    };
    const abort = signal ?? new AbortController().signal;
    return (await sendWithRetries(attempt, id, { policy, lane, time, signal: abort })).reply;
  }

  return {
    id,
    fingerprint: fingerprint({ embedder: "langchain", ...identity }),
    ...(dimensions === undefined ? {} : { dimensions }),
    async encode(texts, onVector, signal) {
      const requests: Promise<void>[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_A_REQUEST) {
        const batch = texts.slice(from, from + TEXTS_A_REQUEST);
        requests.push(
          send(() => embeddings.embedDocuments(batch), signal).then((vectors) => {
            for (const [index, vector] of vectors.entries()) {
              onVector(from + index, Float32Array.from(vector));
            }
          }),
        );
      }
      // Every request is waited for, so that none runs on behind an error.
      const ends = await Promise.allSettled(requests);
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
    ...(distinctQueries === true
      ? {
          encodeQuery: async (text: string, signal?: AbortSignal) =>
            Float32Array.from(await send(() => embeddings.embedQuery(text), signal)),
        }
      : {}),
    close: async () => {},
  };
}
