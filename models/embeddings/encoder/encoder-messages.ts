import type { Pooling } from "./encoder-files.ts";

/** Between the pool and one of its processes. */
export interface LoadMessage {
  type: "load";
  /** Folder that holds the encoder's folder, and the latter's name. */
  root: string;
  name: string;
  dtype: string;
  pooling: Pooling;
  maxPieces: number;
}

export interface EncodeMessage {
  type: "encode";
  id: number;
  text: string;
}

export type ToEncoder = LoadMessage | EncodeMessage;

export type FromEncoder =
  | { type: "ready" }
  | { type: "vector"; id: number; vector: Float32Array }
  | { type: "failed"; id?: number; message: string };
