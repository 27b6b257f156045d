import { expect, test } from "vitest";
import { capOf } from "../../../models/gateway.ts";
import { loopbackGateway } from "../../../tests/support/loopback-gateway.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { spentUsd } from "./ledger.ts";
import { runBuild } from "./run-build.ts";
import { describeBuild } from "./what.ts";

const text = "x".repeat(3_600);
const units = Array.from({ length: 12 }, (_, i) => ({
  key: `u${i}`,
  size: text.length,
  text: () => text,
}));

/** Each call costs 0.002 dollars: 1,000 tokens at 1 and 100 at 10 dollars a million. */
async function build(folder: string, capUsd: number, priorUsd: number) {
  const { server, gateway } = await loopbackGateway({
    caps: [capOf(capUsd, ["build"])],
  });
  gateway.addEarlierSpend({ build: priorUsd });
  server.answer(() => ({ text: "x", usage: { uncached: 1_000, output: 100 } }));
  const model = gateway.model({
    id: "anthropic:claude-test",
    role: "build",
    repeat: 0,
    maxTokens: 100,
  });
  const what = describeBuild({
    kind: "t",
    corpus: "c",
    // The loopback server's address changes from one gateway to the next.
    model: { ...model, fingerprint: "same" as typeof model.fingerprint },
    prompts: [],
    parameters: {},
  });
  const made = await runBuild({
    folder,
    what,
    model,
    units: () => units,
    total: units.length,
    unit: "chunk",
    async process(unit, context) {
      const content = `${unit.key} ${unit.text()}`;
      await context.model.call({ task: "t", messages: [{ role: "user", content }] });
      return { value: unit.key, records: 1 };
    },
    concurrency: 3,
    signal: new AbortController().signal,
  });
  await made.close();
  return { manifest: made.manifest, calls: server.calls.length };
}

test("a cost cap stops the build below it; a higher one goes on from what was spent", async () => {
  const folder = temporaryFolder();
  const first = await build(folder, 0.011, 0);
  expect(first.manifest.status).toBe("budget");
  expect(first.manifest.stopped).toContain("for build calls is reached");
  const spent = spentUsd(first.manifest.ledger)!;
  expect(spent).toBeLessThanOrEqual(0.011);
  expect(spent).toBeCloseTo(0.002 * first.calls, 9);
  const again = await build(folder, 0.011, spent);
  expect(again).toMatchObject({ calls: 0, manifest: { status: "budget" } });
  const rest = await build(folder, 1, spent);
  expect(rest.manifest).toMatchObject({ status: "finished", counts: { extracted: 12 } });
  expect(first.calls + rest.calls).toBe(12);
  expect(spentUsd(rest.manifest.ledger)).toBeCloseTo(0.024, 9);
});
