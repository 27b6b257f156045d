/**
 * A block of vectors in memory and the inner products over it. Rows lie `stride` floats apart, padded with
 * zeros; `vectors` is filled by the owner before the first query.
 */
export interface VectorBlock {
  readonly rows: number;
  readonly stride: number;
  readonly vectors: Float32Array;
  /** Inner product of the query with every row, in float32. The array is reused by the next call. */
  products(query: Float32Array): Float32Array;
}

/** Makes blocks. All kernels give the same products up to float32 rounding. */
export interface Kernel {
  readonly name: "wasm-simd" | "js";
  /** Most bytes of one block. */
  readonly maxBlockBytes: number;
  strideOf(dimensions: number): number;
  block(rows: number, dimensions: number): VectorBlock;
}
