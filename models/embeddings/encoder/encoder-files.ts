import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf, RitbenchError } from "../../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../../core/fingerprint.ts";

export type Pooling = "cls" | "mean" | "max";

/** An ONNX encoder in a folder, laid out as on the hub. */
export interface EncoderFiles {
  folder: string;
  name: string;
  /** File of weights below the folder, and its name in transformers.js. */
  weights: string;
  dtype: string;
  weightBytes: number;
  pooling: Pooling;
  dimensions: number | undefined;
  /** Window in pieces, special ones included. */
  maxPieces: number;
  fingerprint: Fingerprint;
}

/** Exact weights first. */
const weightFiles: readonly (readonly [file: string, dtype: string])[] = [
  ["model.onnx", "fp32"],
  ["model_fp16.onnx", "fp16"],
  ["model_quantized.onnx", "q8"],
  ["model_int8.onnx", "int8"],
  ["model_uint8.onnx", "uint8"],
  ["model_q4.onnx", "q4"],
];

/** Where sentence-transformers' pooling is told: the hub's place, and beside the other files. */
const poolingFiles = ["1_Pooling/config.json", "pooling.json"] as const;

const FALLBACK_WINDOW = 512;

/**
 * Reads what an encoder's folder says about itself and hashes its weights and tokenizer.
 *
 * @throws RitbenchError E_ENCODER_MISSING, E_ENCODER_POOLING, E_ENCODER_BROKEN
 */
export async function readEncoderFiles(folder: string): Promise<EncoderFiles> {
  const config = readJson(folder, "config.json");
  const tokenizer = readJson(folder, "tokenizer_config.json");
  if (!existsSync(join(folder, "tokenizer.json"))) throw missing(folder, "tokenizer.json");
  const found = weightFiles.find(([file]) => existsSync(join(folder, "onnx", file)));
  if (found === undefined) throw missing(folder, "onnx/model.onnx");
  const weights = join("onnx", found[0]);
  const pooling = readPooling(folder);
  const limits = [tokenizer.model_max_length, config.max_position_embeddings].filter(
    (limit): limit is number => typeof limit === "number" && limit > 0 && limit < 1e9,
  );
  const maxPieces = limits.length === 0 ? FALLBACK_WINDOW : Math.min(...limits);
  const dimensions = typeof config.hidden_size === "number" ? config.hidden_size : undefined;
  return {
    folder,
    name: basename(folder),
    weights,
    dtype: found[1],
    weightBytes: statSync(join(folder, weights)).size,
    pooling,
    dimensions,
    maxPieces,
    fingerprint: fingerprint({
      encoder: 1,
      weights: await hashOf(join(folder, weights)),
      tokenizer: await hashOf(join(folder, "tokenizer.json")),
      pooling,
      maxPieces,
    }),
  };
}

function readPooling(folder: string): Pooling {
  const file = poolingFiles.find((name) => existsSync(join(folder, name)));
  if (file === undefined) {
    throw new RitbenchError("E_ENCODER_POOLING", "the encoder does not say how it pools", {
      where: folder,
      expected: poolingFiles.join(" or "),
      next: 'write pooling.json: {"pooling_mode_mean_tokens": true} or {"pooling_mode_cls_token": true}',
    });
  }
  const modes = readJson(folder, file);
  if (modes.pooling_mode_cls_token === true) return "cls";
  if (modes.pooling_mode_mean_tokens === true) return "mean";
  if (modes.pooling_mode_max_tokens === true) return "max";
  throw new RitbenchError("E_ENCODER_POOLING", "this way of pooling is not supported", {
    where: join(folder, file),
    expected: "pooling_mode_cls_token, pooling_mode_mean_tokens or pooling_mode_max_tokens",
  });
}

function readJson(folder: string, file: string): { [key: string]: unknown } {
  const path = join(folder, file);
  if (!existsSync(path)) throw missing(folder, file);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new RitbenchError("E_ENCODER_BROKEN", "the file is not JSON", {
      where: path,
      got: messageOf(cause),
    });
  }
}

function missing(folder: string, file: string): RitbenchError {
  return new RitbenchError("E_ENCODER_MISSING", `the encoder's folder has no ${file}`, {
    where: folder,
    expected: "config.json, tokenizer.json, tokenizer_config.json, onnx/model*.onnx, pooling",
    next: "name another folder or a model of the hub: --embeddings local:<folder or hub id>",
  });
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}
