import { expect, test, vi } from "vitest";
import { run } from "./toc.ts";

test("measures a generated forest and prints one JSON document", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await run(["--nodes", "500", "--n", "5", "--queries", "3", "--json"]);
    const result = JSON.parse(String(write.mock.calls[0]![0]));
    expect(result).toMatchObject({ nodes: 500, n: 5, kPrime: 20, queries: 3 });
    expect(result.shownNodes).toBeGreaterThan(5);
    expect(result.p95Ms).toBeGreaterThanOrEqual(result.p50Ms);
  } finally {
    write.mockRestore();
  }
});

test("refuses a size that is none", async () => {
  await expect(run(["--nodes", "many"])).rejects.toThrow("--nodes must be a positive count");
});
