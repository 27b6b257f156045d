import { createTopK, type Ranking } from "../bm25/top-k.ts";
import type { DenseIndex } from "./dense-index.ts";
import type { Kernel, VectorBlock } from "./kernel.ts";
import { jsKernel } from "./kernel-js.ts";
import { wasmKernel } from "./kernel-wasm.ts";
import { innerProduct, ranked, type Scored } from "./rescore.ts";
import type { VectorFile } from "./vector-file.ts";

/** The fastest kernel this engine can run. */
export function bestKernel(): Kernel {
  return wasmKernel() ?? jsKernel;
}

/**
 * Exact search over vectors in memory. The kernel's float32 products choose the candidates, with a margin for
 * their rounding; the candidates' scores are then summed in float64 in a fixed order. So the ranking and its
 * scores do not depend on the kernel, and equal vectors have equal scores.
 */
export function loadFlatIndex(file: VectorFile, kernel: Kernel = bestKernel()): DenseIndex {
  const { count, dimensions } = file.summary;
  const stride = kernel.strideOf(dimensions);
  const rowsABlock = Math.max(1, Math.floor(kernel.maxBlockBytes / (stride * 4)));
  const blocks: VectorBlock[] = [];
  for (let from = 0; from < count; from += rowsABlock) {
    const block = kernel.block(Math.min(rowsABlock, count - from), dimensions);
    file.read(from, block.rows, block.vectors, stride);
    blocks.push(block);
  }

  function search(query: Float32Array, k: number, allowed?: Uint8Array): Ranking {
    const wanted = Math.min(k, count);
    const products = blocks.map((block) => block.products(query));
    const best = createTopK(wanted);
    let row = 0;
    for (const part of products) {
      for (let i = 0; i < part.length; i++, row++) {
        if (allowed === undefined || allowed[row] === 1) best.offer(part[i]!, row);
      }
    }
    const { scores } = best.ranking();
    if (scores.length === 0) return { chunks: new Uint32Array(0), scores };
    const floor = scores.at(-1)! - 2 * roundingBound(query);
    const candidates: Scored[] = [];
    row = 0;
    for (const [index, part] of products.entries()) {
      const { vectors } = blocks[index]!;
      for (let i = 0; i < part.length; i++, row++) {
        if (part[i]! < floor || (allowed !== undefined && allowed[row] !== 1)) continue;
        candidates.push({ row, score: innerProduct(query, vectors, i * stride) });
      }
    }
    return ranked(candidates, wanted);
  }

  return {
    kind: "flat",
    kernel: kernel.name,
    count,
    dimensions,
    search,
    close: () => file.close(),
  };
}

/** How far a float32 inner product of a query with a unit vector can lie from the true one: n u |q| for n terms. */
function roundingBound(query: Float32Array): number {
  return query.length * 2 ** -24 * Math.sqrt(innerProduct(query, query, 0));
}
