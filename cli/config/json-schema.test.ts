import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packageFile } from "../../core/package-file.ts";
import { configJsonSchema } from "./json-schema.ts";
import { loadConfig } from "./load.ts";

const experiments = readdirSync(packageFile("configs")).filter(
  (name) => name.endsWith(".yaml") && name !== "models.yaml",
);

describe("configs", () => {
  it("carries the schema that the program validates with (npm run schema writes it)", () => {
    expect(readFileSync(packageFile("configs/schema.json"), "utf8")).toBe(configJsonSchema());
  });

  it.each(experiments)("%s is a valid experiment", (name) => {
    expect(loadConfig(`configs/${name}`, "/", []).methods.length).toBeGreaterThan(0);
  });
});
