import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bestKernel } from "../retrievers/dense/flat-index.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { measureDense, run } from "./dense.ts";

test("a small measurement: everything found, files left for a rival", async () => {
  const save = join(temporaryFolder(), "saved");
  const kernel = bestKernel();
  const result = await measureDense({
    vectors: 300,
    dimensions: 16,
    queries: 12,
    k: 20,
    kernel,
    rival: false,
    save,
    json: true,
  });
  expect(result).toMatchObject({
    schema: "ritbench.bench-dense/1",
    vectors: 300,
    dimensions: 16,
    kernel: kernel.name,
    recallAt200: 1,
    usearchP50Ms: null,
  });
  expect(result.p50Ms).toBeGreaterThan(0);
  expect(result.p95Ms).toBeGreaterThanOrEqual(result.p50Ms);
  expect(statSync(join(save, "vectors.f32")).size).toBe(300 * 16 * 4);
  expect(existsSync(join(save, "queries.f32"))).toBe(true);
});

test("bad arguments are named", async () => {
  for (const argv of [["--vectors", "0"], ["--kernel", "gpu"], ["--fast"]]) {
    await expect(run(argv)).rejects.toMatchObject({ code: "E_BENCH_ARGUMENTS" });
  }
});
