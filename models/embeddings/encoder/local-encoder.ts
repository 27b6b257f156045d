import { createRequire } from "node:module";
import { availableParallelism, freemem } from "node:os";
import { RitbenchError } from "../../../core/errors.ts";
import type { VectorSource } from "../vector-source.ts";
import { type EncoderFiles, readEncoderFiles } from "./encoder-files.ts";
import { encoderPool } from "./encoder-pool.ts";
import { spawnEncoder } from "./spawn.ts";

const PACKAGE = "@huggingface/transformers";
/** Memory of a process beyond twice its weights (graph and activations). */
const PROCESS_BYTES = 200e6;

export interface LocalEncoderOptions {
  /** Default: one a core, as far as memory allows. */
  processes?: number;
  /** Whether the optional package is there; tests take it away. */
  hasPackage?: () => boolean;
}

/**
 * Encodes with the weights in a folder, on all cores, without any network.
 *
 * @throws RitbenchError E_PACKAGE_MISSING when the optional package is not installed, and those of `readEncoderFiles`.
 */
export async function localEncoder(
  folder: string,
  id: string,
  options: LocalEncoderOptions = {},
): Promise<VectorSource> {
  if (!(options.hasPackage ?? hasLocalEncoder)()) {
    throw new RitbenchError("E_PACKAGE_MISSING", `${id} needs the optional package ${PACKAGE}`, {
      next: `npm install ${PACKAGE}@4.3.1, or --embeddings offline:hashing`,
    });
  }
  const files = await readEncoderFiles(folder);
  const pool = encoderPool(files, options.processes ?? processesFor(files), spawnEncoder);
  return {
    id,
    fingerprint: files.fingerprint,
    ...(files.dimensions === undefined ? {} : { dimensions: files.dimensions }),
    encode: pool.encode,
    close: async () => pool.close(),
  };
}

function processesFor({ weightBytes }: EncoderFiles): number {
  const fitting = Math.floor((freemem() * 0.7) / (weightBytes * 2 + PROCESS_BYTES));
  return Math.max(1, Math.min(availableParallelism(), fitting));
}

/** Whether the optional package that runs ONNX encoders is installed. */
export function hasLocalEncoder(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}
