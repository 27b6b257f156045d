import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { nearMiss, RitbenchError } from "../../core/errors.ts";
import { type CachedEmbedder, cachedEmbedder } from "./cached-embedder.ts";
import { type FetchEncoderOptions, fetchEncoder, isHubId } from "./encoder/fetch-encoder.ts";
import { type LocalEncoderOptions, localEncoder } from "./encoder/local-encoder.ts";
import { hashingSource } from "./hashing.ts";
import { openAiSource } from "./openai-source.ts";
import { noVectorCache, openVectorCache } from "./vector-cache.ts";
import type { VectorSource } from "./vector-source.ts";

/** The paper's encoder: CLS token, normalised, no prefixes (notes 1.3). */
export const DEFAULT_EMBEDDINGS = "local:Alibaba-NLP/gte-modernbert-base";

const providers = ["local", "openai", "openai-compatible", "offline"] as const;

export interface OpenEmbedderOptions
  extends Omit<FetchEncoderOptions, "modelsFolder">,
    LocalEncoderOptions {
  /** `.ritbench` or RITBENCH_HOME: vectors are kept in `cache/embeddings`, fetched encoders in `models`. */
  home: string;
  /** Key for `openai:` and, where the server wants one, `openai-compatible:`. */
  apiKey?: string | undefined;
}

export interface OpenedEmbedder {
  embedder: CachedEmbedder;
  /** Folder whose `tokenizer.json` cuts the chunks; absent = the named BPE does. */
  tokenizerFolder?: string;
  /** A stand-in without a semantic model: captions must say so. */
  offline: boolean;
  close(): Promise<void>;
}

/**
 * Opens `local:<folder or hub id>`, `openai:<model>`, `openai-compatible:<model>@<base URL>` or
 * `offline:hashing`, with the vector cache before it.
 *
 * @throws RitbenchError E_EMBEDDINGS_UNKNOWN for another name, and those of the providers.
 */
export async function openEmbedder(
  spec: string,
  options: OpenEmbedderOptions,
): Promise<OpenedEmbedder> {
  const { source, tokenizerFolder } = await openSource(spec, options);
  const cache =
    source.uncached === true
      ? noVectorCache
      : openVectorCache(join(options.home, "cache", "embeddings"));
  const close = async (): Promise<void> => {
    await source.close();
    await cache.close();
  };
  try {
    return {
      embedder: await cachedEmbedder(source, cache, options.signal),
      ...(tokenizerFolder === undefined ? {} : { tokenizerFolder }),
      offline: spec.startsWith("offline:"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSource(
  spec: string,
  options: OpenEmbedderOptions,
): Promise<{ source: VectorSource; tokenizerFolder?: string }> {
  const colon = spec.indexOf(":");
  const provider = spec.slice(0, Math.max(0, colon));
  const name = spec.slice(colon + 1);
  if (spec === "offline:hashing") return { source: hashingSource() };
  if (name !== "" && provider === "local") {
    const folder = await localFolder(name, options);
    return { source: await localEncoder(folder, spec, options), tokenizerFolder: folder };
  }
  const { apiKey: key } = options;
  if (name !== "" && provider === "openai") {
    return { source: await openAiSource({ id: spec, model: name, key }) };
  }
  const at = name.search(/@https?:\/\//);
  if (provider === "openai-compatible" && at > 0) {
    const [model, baseUrl] = [name.slice(0, at), name.slice(at + 1)];
    return { source: await openAiSource({ id: spec, model, baseUrl, key }) };
  }
  throw unknownSpec(spec, provider);
}

/** A folder that exists wins over a hub id of the same spelling. */
async function localFolder(name: string, options: OpenEmbedderOptions): Promise<string> {
  const folder = resolve(name);
  if (existsSync(folder) || !isHubId(name)) return folder;
  return fetchEncoder(name, { ...options, modelsFolder: join(options.home, "models") });
}

function unknownSpec(spec: string, provider: string): RitbenchError {
  const near = nearMiss(provider, providers);
  return new RitbenchError("E_EMBEDDINGS_UNKNOWN", `there are no embeddings "${spec}"`, {
    where: "embeddings",
    expected:
      "local:<folder or hub id>, openai:<model>, openai-compatible:<model>@<base URL> or offline:hashing",
    ...(near === undefined || near === provider ? {} : { next: `did you mean ${near}:?` }),
  });
}
