import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFile } from "../core/package-file.ts";

describe("docs/json.md", () => {
  it("names the schema of every command's JSON", () => {
    const root = packageFile("cli");
    const documented = readFileSync(packageFile("docs/json.md"), "utf8");
    const used = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .flatMap((path) => {
        const text = readFileSync(join(root, path), "utf8");
        return [...text.matchAll(/printJson\(\s*io,\s*"([a-z-]+)"/g)].map((match) => match[1]!);
      });
    expect(new Set(used).size).toBeGreaterThan(15);
    expect(used.filter((name) => !documented.includes(`ritbench.${name}/1`))).toEqual([]);
  });
});
