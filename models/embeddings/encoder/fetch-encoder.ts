import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, RitbenchError } from "../../../core/errors.ts";

export interface FetchEncoderOptions {
  /** `<home>/models`; the encoder goes to `<owner>/<name>` below it. */
  modelsFolder: string;
  /** True forbids every request. */
  offline: boolean;
  /** Default: the public hub. */
  hubUrl?: string | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((message: string) => void) | undefined;
}

const HUB = "https://huggingface.co";

interface HubFile {
  path: string;
  optional?: boolean;
}

/** The last one completes the folder. */
const hubFiles: readonly HubFile[] = [
  { path: "tokenizer.json" },
  { path: "tokenizer_config.json" },
  { path: "special_tokens_map.json", optional: true },
  { path: "1_Pooling/config.json", optional: true },
  { path: "onnx/model.onnx_data", optional: true },
  { path: "onnx/model.onnx" },
  { path: "config.json" },
];

/** `owner/name`, which is all a hub id may be: it becomes a folder. */
export function isHubId(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(text) && !text.includes("..");
}

/**
 * Folder of an encoder from the hub, fetched at its first use; files that are there are not asked for again.
 *
 * @throws RitbenchError E_ENCODER_OFFLINE, E_ENCODER_FETCH
 */
export async function fetchEncoder(id: string, options: FetchEncoderOptions): Promise<string> {
  const folder = join(options.modelsFolder, ...id.split("/"));
  if (existsSync(join(folder, "config.json"))) return folder;
  if (options.offline) {
    throw new RitbenchError("E_ENCODER_OFFLINE", `the encoder ${id} is not on this machine`, {
      where: folder,
      next: `run once without --offline, copy its files there, or --embeddings local:<folder> or offline:hashing`,
    });
  }
  for (const file of hubFiles) await fetchFile(id, file, folder, options);
  return folder;
}

async function fetchFile(
  id: string,
  { path, optional }: HubFile,
  folder: string,
  { hubUrl = HUB, signal, progress }: FetchEncoderOptions,
): Promise<void> {
  const target = join(folder, path);
  if (existsSync(target)) return;
  const url = `${hubUrl}/${id}/resolve/main/${path}`;
  const failed = (got: string, cause?: unknown) =>
    new RitbenchError("E_ENCODER_FETCH", `a file of the encoder ${id} cannot be fetched`, {
      where: url,
      got,
      next: "check the network and the id, or --embeddings local:<folder> or offline:hashing",
      ...(cause === undefined ? {} : { cause }),
    });
  const part = `${target}.${process.pid}.part`;
  try {
    const response = await fetch(url, signal === undefined ? {} : { signal });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      if (optional === true && response.status === 404) return;
      throw failed(`HTTP ${response.status}`);
    }
    progress?.(`fetching ${path} of ${id}`);
    mkdirSync(dirname(target), { recursive: true });
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part));
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof RitbenchError || signal?.aborted) throw error;
    throw failed(messageOf(error), error);
  }
}
