import type { Kernel } from "./kernel.ts";

/** The last resort where WebAssembly SIMD is missing: about four times slower. */
export const jsKernel: Kernel = {
  name: "js",
  maxBlockBytes: 2 ** 30,
  strideOf: (dimensions) => Math.ceil(dimensions / 4) * 4,
  block(rows, dimensions) {
    const stride = jsKernel.strideOf(dimensions);
    const vectors = new Float32Array(rows * stride);
    const results = new Float32Array(rows);
    const padded = new Float32Array(stride);
    return {
      rows,
      stride,
      vectors,
      products(query) {
        padded.set(query);
        for (let row = 0, at = 0; row < rows; row++) {
          let a = 0;
          let b = 0;
          let c = 0;
          let d = 0;
          for (let i = 0; i < stride; i += 4, at += 4) {
            a += padded[i]! * vectors[at]!;
            b += padded[i + 1]! * vectors[at + 1]!;
            c += padded[i + 2]! * vectors[at + 2]!;
            d += padded[i + 3]! * vectors[at + 3]!;
          }
          results[row] = a + b + (c + d);
        }
        return results;
      },
    };
  },
};
