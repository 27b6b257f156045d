import { RitbenchError } from "../../core/errors.ts";
import type { Fingerprint } from "../../core/fingerprint.ts";

/** Called once for each text as its vector arrives, in any order. */
export type OnVector = (index: number, vector: Float32Array) => void;

/** Where vectors come from: a provider without cache or order. */
export interface VectorSource {
  /** As given on the command line: `local:...`, `openai:...`, `offline:hashing`. */
  readonly id: string;
  /** Weights, pooling, window and whatever else changes a vector. */
  readonly fingerprint: Fingerprint;
  /** True where encoding again is quicker than looking up: its vectors are not kept. */
  readonly uncached?: boolean;
  /** Absent where only a first reply tells. */
  readonly dimensions?: number;
  encode(texts: readonly string[], onVector: OnVector, signal?: AbortSignal): Promise<void>;
  /** Only where a query is encoded unlike a passage. */
  encodeQuery?(text: string, signal?: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/**
 * The vector at length 1; a zero vector (a text without any feature) stays zero.
 *
 * @throws RitbenchError E_EMBEDDING_BROKEN for NaN, infinities, or another number of dimensions.
 */
export function unitVector(
  values: ArrayLike<number>,
  source: string,
  dimensions?: number,
): Float32Array {
  if (dimensions !== undefined && values.length !== dimensions) {
    throw new RitbenchError("E_EMBEDDING_BROKEN", "a vector has another number of dimensions", {
      where: source,
      expected: String(dimensions),
      got: String(values.length),
    });
  }
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!;
  if (!Number.isFinite(squares)) {
    throw new RitbenchError("E_EMBEDDING_BROKEN", "a vector holds a value that is no number", {
      where: source,
      next: "try another file of weights, or another provider",
    });
  }
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  return Float32Array.from(values, (value) => value * scale);
}
