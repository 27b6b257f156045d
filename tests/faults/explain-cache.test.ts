import { expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { modelLab } from "../support/model-lab.ts";

it("a run names the key of its first miss, and the key's parts can be printed", async () => {
  const lab = await modelLab({ questions: 1 });
  const { stderr } = await lab.run();
  const [, key] = /ritbench explain-cache ([0-9a-f]{64})/.exec(stderr) ?? [];
  const explained = await cli(lab.home, ["explain-cache", key!]);
  expect(explained.code).toBe(0);
  expect(explained.json<{ rows: object[] }>().rows[0]).toMatchObject({
    provider: "openai-compatible",
    repeat: 0,
  });
  const unknown = await cli(lab.home, ["explain-cache", "nope"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("E_CACHE_MISSING")]);
});
