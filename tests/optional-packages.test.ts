import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const optional = ["hnswlib-node", "usearch", "@huggingface/transformers"];

describe("doctor", () => {
  it("tells the truth about every optional package", async () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(root, "bin", "ritbench.js"), "doctor", "--json"],
      { cwd: root, encoding: "utf8" },
    );
    const { schema, rows } = JSON.parse(stdout) as {
      schema: string;
      rows: { check: string; status: string }[];
    };
    expect(schema).toBe("ritbench.doctor/1");
    expect(status).toBe(0);
    for (const name of optional) {
      const loads = await import(name).then(
        () => true,
        () => false,
      );
      expect(rows.find(({ check }) => check === name)?.status).toBe(loads ? "ok" : "missing");
    }
  });
});
