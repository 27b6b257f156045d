import { expect, test } from "vitest";
import { RitbenchError } from "../../../core/errors.ts";
import { fingerprint } from "../../../core/fingerprint.ts";
import { ModelError } from "../../../core/model-error.ts";
import { noUsage } from "../../../core/usage.ts";
import { type Script, scriptedModel } from "../../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { readBuildManifest } from "./manifest.ts";
import type { BuildRequest, BuildUnit } from "./request.ts";
import { runBuild } from "./run-build.ts";
import { buildKind, buildMark, requireSoundBuild } from "./soundness.ts";
import type { BuildWhat } from "./what.ts";

const what: BuildWhat = {
  kind: "test",
  corpus: "c",
  model: { id: "m", fingerprint: fingerprint("m") },
  prompts: {},
  parameters: {},
};
const long = "word ".repeat(60);

function unitOf(key: string, text = long): BuildUnit {
  return { key, size: text.length, text: () => text };
}

const say = (content: string) => ({ role: "user" as const, content });

/** One call a unit; the value is the reply. An empty reply is no record. */
function request(
  folder: string,
  script: Script,
  units: readonly BuildUnit[],
  more: Partial<BuildRequest<BuildUnit, string>> = {},
) {
  const model = scriptedModel(script);
  const build: BuildRequest<BuildUnit, string> = {
    folder,
    what,
    model,
    units: () => units,
    total: units.length,
    unit: "chunk",
    async process(unit, context) {
      const reply = await context.model.call({ task: "t", messages: [say(unit.key)] });
      const value = reply.message.content;
      return { value, records: value === "" ? 0 : 1 };
    },
    concurrency: 1,
    signal: new AbortController().signal,
    ...more,
  };
  return { build, model };
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => unitOf(`u${i}`));
const echo: Script = (asked) => ({
  content: asked.messages[0]!.content.toUpperCase(),
  usage: { ...noUsage, uncachedInputTokens: 10, outputTokens: 2, costUsd: 0.5, cachedCostUsd: 0.5 },
});

test("a build stores every unit with its cost; asking again costs nothing", async () => {
  const folder = temporaryFolder();
  const { build } = request(folder, echo, keys(5), { concurrency: 3 });
  const made = await runBuild(build);
  expect(made.get("u3")).toMatchObject({ outcome: "extracted", records: 1, value: "U3" });
  expect(made.manifest).toMatchObject({
    status: "finished",
    counts: { total: 5, extracted: 5, failed: 0, empty: 0, blank: 0 },
    ledger: { calls: 5, replays: 0, failures: 0, live: { uncachedInputTokens: 50, costUsd: 2.5 } },
  });
  await made.close();
  const again = request(folder, [], keys(5));
  const same = await runBuild(again.build);
  expect(again.model.requests).toHaveLength(0);
  expect(same.get("u4")?.value).toBe("U4");
  await same.close();
});

test("counts: blank units count for nothing, an empty reply to 50 tokens is a failure", async () => {
  const units = [unitOf("a"), unitOf("b"), unitOf("c", "short"), unitOf("d")];
  const script = [
    { content: "x" },
    { content: "" },
    { content: "" },
    { error: new ModelError("server", "down") },
  ];
  const made = await runBuild(request(temporaryFolder(), script, units).build);
  const { manifest } = made;
  await made.close();
  expect(manifest.counts).toEqual({ total: 4, extracted: 1, failed: 1, empty: 1, blank: 1 });
  expect(manifest.ledger).toMatchObject({ calls: 3, failures: 1 });
  expect(manifest.problems.map(({ unit, code }) => [unit, code])).toEqual([
    ["b", "E_UNIT_EMPTY"],
    ["d", "E_MODEL_SERVER"],
  ]);
  expect(buildMark(manifest)).toBe("unsound: 2 of 3 chunks failed (66.7%)");
  expect(buildKind(manifest)).toBe(`${fingerprint(what)} (${buildMark(manifest)})`);
  expect(() => requireSoundBuild(manifest, { force: false })).toThrow(
    expect.objectContaining({ code: "E_BUILD_UNSOUND" }),
  );
  expect(() => requireSoundBuild(manifest, { force: true })).not.toThrow();
});

test("2 failures of 100 pass, 3 of 100 do not", async () => {
  for (const [bad, mark] of [
    [2, undefined],
    [3, "unsound: 3 of 100 chunks failed (3.0%)"],
  ] as const) {
    const script: Script = (_, turn) => ({ content: turn < bad ? "" : "x" });
    const made = await runBuild(request(temporaryFolder(), script, keys(100)).build);
    expect(buildMark(made.manifest)).toBe(mark);
    await made.close();
  }
});

test("a stop in the middle of a unit keeps the replies it has: nothing is asked twice", async () => {
  const folder = temporaryFolder();
  const abort = new AbortController();
  const process: BuildRequest<BuildUnit, string>["process"] = async (unit, { model }) => {
    const said: string[] = [];
    for (const part of ["a", "b", "c"]) {
      const reply = await model.call({ task: "t", messages: [say(`${unit.key}${part}`)] });
      said.push(reply.message.content);
    }
    return { value: said.join(), records: 3 };
  };
  const first = request(
    folder,
    (asked, turn) => {
      if (turn === 4) abort.abort();
      return { content: asked.messages[0]!.content };
    },
    keys(3),
    { process, signal: abort.signal },
  );
  const stopped = await runBuild(first.build);
  expect(stopped.manifest).toMatchObject({ status: "interrupted", ledger: { calls: 5 } });
  expect(buildMark(stopped.manifest)).toBe("unfinished: 1 of 3 chunks");
  await stopped.close();
  const second = request(folder, echo, keys(3), { process });
  const made = await runBuild(second.build);
  expect(second.model.requests.map(({ messages }) => messages[0]!.content)).toEqual([
    "u1c",
    "u2a",
    "u2b",
    "u2c",
  ]);
  expect(made.get("u1")?.value).toBe("u1a,u1b,U1C");
  expect(made.manifest).toMatchObject({ status: "finished", ledger: { calls: 9 } });
  await made.close();
});

test("equal requests within a unit are told apart, also over a restart after a failed try", async () => {
  const folder = temporaryFolder();
  const process: BuildRequest<BuildUnit, string>["process"] = async (_, { model }) => {
    const said: string[] = [];
    for (let i = 0; i < 3; i++) {
      try {
        said.push((await model.call({ task: "t", messages: [say("same")] })).message.content);
      } catch (error) {
        if (!(error instanceof ModelError) || error.kind !== "server") throw error;
        said.push("-");
      }
    }
    return { value: said.join(), records: 1 };
  };
  const script = [
    { error: new ModelError("server", "down") },
    { content: "1" },
    { error: new ModelError("budget", "cap") },
  ];
  const first = await runBuild(request(folder, script, keys(1), { process }).build);
  expect(first.manifest).toMatchObject({ status: "budget", ledger: { calls: 1, failures: 1 } });
  await first.close();
  const rest = request(folder, [{ content: "2" }, { content: "3" }], keys(1), { process });
  const made = await runBuild(rest.build);
  expect(made.get("u0")?.value).toBe("1,2,3");
  await made.close();
});

test("the cap stops the build, a swallowed cap error too; a later start goes on", async () => {
  const folder = temporaryFolder();
  const process: BuildRequest<BuildUnit, string>["process"] = async (unit, { model }) => {
    const value = await model
      .call({ task: "t", messages: [say(unit.key)] })
      .then(({ message }) => message.content)
      .catch(() => "fallback");
    return { value, records: 1 };
  };
  const script = [{ content: "x" }, { error: new ModelError("budget", "the cap is reached") }];
  const stopped = await runBuild(request(folder, script, keys(4), { process }).build);
  expect(stopped.manifest).toMatchObject({
    status: "budget",
    stopped: "the cap is reached",
    counts: { extracted: 1 },
  });
  await stopped.close();
  const made = await runBuild(request(folder, echo, keys(4), { process }).build);
  expect(made.get("u1")?.value).toBe("U1");
  expect(made.manifest.counts.extracted).toBe(4);
  await made.close();
});

test("failed units stay as they are until asked for again, and a failed retry loses nothing", async () => {
  const folder = temporaryFolder();
  const down = { error: new ModelError("server", "down") };
  await (await runBuild(request(folder, [{ content: "x" }, down], keys(2)).build)).close();
  const calm = request(folder, [], keys(2));
  await (await runBuild(calm.build)).close();
  expect(calm.model.requests).toHaveLength(0);
  const retry = async (script: Script) => {
    const made = await runBuild(request(folder, script, keys(2), { retryFailed: true }).build);
    await made.close();
    return made.manifest;
  };
  expect(await retry([down])).toMatchObject({
    counts: { extracted: 1, failed: 1 },
    ledger: { calls: 1, failures: 2 },
  });
  expect(await retry([{ content: "y" }])).toMatchObject({
    counts: { extracted: 2, failed: 0 },
    ledger: { calls: 2, failures: 2 },
    problems: [],
  });
});

test("what no unit can help ends the build: a refused key, a fault of the program, endless failures", async () => {
  const start = (error: Error) => {
    const folder = temporaryFolder();
    return { folder, run: runBuild(request(folder, () => ({ error }), keys(40)).build) };
  };
  const auth = start(new ModelError("auth", "no key"));
  await expect(auth.run).rejects.toMatchObject({ kind: "auth" });
  expect(readBuildManifest(auth.folder)).toMatchObject({
    status: "failed",
    counts: { failed: 0 },
  });
  await expect(start(new TypeError("bug")).run).rejects.toThrow(TypeError);
  const down = start(new ModelError("server", "down"));
  await expect(down.run).rejects.toMatchObject({ code: "E_BUILD_HOPELESS" });
  expect(readBuildManifest(down.folder)?.counts.failed).toBe(25);
});

test("a RitbenchError of the process fails its unit only; another build in the folder is refused", async () => {
  const folder = temporaryFolder();
  const process: BuildRequest<BuildUnit, string>["process"] = async ({ key }) => {
    if (key === "u1") throw new RitbenchError("E_X", "unreadable");
    return { value: key, records: 1 };
  };
  const made = await runBuild(request(folder, [], keys(3), { process }).build);
  expect(made.get("u1")).toMatchObject({ outcome: "failed", error: { code: "E_X" } });
  expect(made.manifest.counts).toMatchObject({ extracted: 2, failed: 1 });
  await made.close();
  const other = { what: { ...what, parameters: { version: 2 } } };
  await expect(runBuild(request(folder, [], keys(3), other).build)).rejects.toMatchObject({
    code: "E_BUILD_DIFFERS",
  });
});

test("two builders of one artefact: one waits, then opens what the other made", async () => {
  const folder = temporaryFolder();
  const first = request(folder, echo, keys(6), { concurrency: 2 });
  const second = request(folder, echo, keys(6));
  const [a, b] = await Promise.all([runBuild(first.build), runBuild(second.build)]);
  expect(first.model.requests.length + second.model.requests.length).toBe(6);
  expect(b.get("u5")).toEqual(a.get("u5"));
  await Promise.all([a.close(), b.close()]);
});

test("the result does not depend on concurrency, and long or odd keys are kept apart", async () => {
  const odd = [`${"x".repeat(5000)}1`, `${"x".repeat(5000)}2`, "a/b", "../../etc", "ünï\n"];
  const units = odd.map((key) => unitOf(key));
  const values = [];
  for (const concurrency of [1, 4]) {
    const made = await runBuild(request(temporaryFolder(), echo, units, { concurrency }).build);
    values.push(odd.map((key) => made.get(key)));
    await made.close();
  }
  expect(values[0]!.map((record) => record?.value)).toEqual(odd.map((key) => key.toUpperCase()));
  expect(values[1]).toEqual(values[0]);
});
