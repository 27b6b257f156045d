import type { Kernel } from "./kernel.ts";
import { innerProductModule, LANES_A_STEP } from "./wasm-inner-product.ts";

/** `rows` products of the rows at `vectors` with the vector at `query`, written from `results` on; byte addresses. */
type ProductsFunction = (
  vectors: number,
  rows: number,
  query: number,
  strideBytes: number,
  results: number,
) => void;

/** What is used of the engine's WebAssembly; the types of Node 20 leave it out. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: { products: unknown } };
}

const PAGE_BYTES = 65_536;

/**
 * Inner products in WebAssembly SIMD: no native package, and as fast as one, because the memory bus is the
 * limit (bench/results.md). Undefined where the engine has no SIMD.
 */
export function wasmKernel(): Kernel | undefined {
  const { WebAssembly: engine } = globalThis as { WebAssembly?: WebAssemblyApi };
  const bytes = innerProductModule();
  if (engine === undefined || !engine.validate(bytes)) return undefined;
  const module = new engine.Module(bytes);
  const kernel: Kernel = {
    name: "wasm-simd",
    maxBlockBytes: 2 ** 30,
    strideOf: (dimensions) => Math.ceil(dimensions / LANES_A_STEP) * LANES_A_STEP,
    block(rows, dimensions) {
      const stride = kernel.strideOf(dimensions);
      const vectorFloats = rows * stride;
      const bytesNeeded = (vectorFloats + stride + rows) * 4;
      const memory = new engine.Memory({ initial: Math.ceil(bytesNeeded / PAGE_BYTES) });
      const vectors = new Float32Array(memory.buffer, 0, vectorFloats);
      const padded = new Float32Array(memory.buffer, vectorFloats * 4, stride);
      const results = new Float32Array(memory.buffer, (vectorFloats + stride) * 4, rows);
      const { exports } = new engine.Instance(module, { env: { memory } });
      const products = exports.products as ProductsFunction;
      return {
        rows,
        stride,
        vectors,
        products(query) {
          padded.set(query);
          if (rows > 0) {
            products(0, rows, padded.byteOffset, stride * 4, results.byteOffset);
          }
          return results;
        },
      };
    },
  };
  return kernel;
}
