import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChatModel, ModelRequest } from "../core/model.ts";
import { loopbackCatalogFile, loopbackGateway } from "../tests/support/loopback-gateway.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { makeCatalog } from "./catalog.ts";
import { createGateway } from "./gateway.ts";
import { replayFactory } from "./replay.ts";

const spec = { id: "anthropic:claude-test", role: "answer", repeat: 0 } as const;
const ask = (content: string): ModelRequest => ({
  task: "vanilla.answer",
  messages: [{ role: "user", content }],
});

/** A run whose one question was asked of a live model, and a gateway that has no network. */
async function finishedRun(manifest: (model: ChatModel) => object) {
  const home = temporaryFolder();
  const cacheFolder = join(home, "cache");
  const { server, gateway } = await loopbackGateway({ cacheFolder });
  const model = gateway.model({ ...spec, sampling: { temperature: 0 } });
  const live = await model.call(ask("Who?"));
  await gateway.close();
  mkdirSync(join(home, "runs", "r1"), { recursive: true });
  writeFileSync(join(home, "runs", "r1", "manifest.json"), JSON.stringify(manifest(model)));
  const catalog = makeCatalog([loopbackCatalogFile(server)]);
  const runFolder = (run: string) => join(home, "runs", run);
  const replay = replayFactory({ runFolder, cacheFolder, catalog });
  const offline = createGateway({ catalog, offline: true, providers: { replay } });
  onTestFinished(async () => {
    await offline.close();
    await replay.close();
  });
  return { server, live, model, offline };
}

const oneModel = ({ id, fingerprint }: ChatModel) => ({
  models: [
    { id, offline: false, fingerprint },
    { id: "offline:extractive", offline: true, fingerprint: "x" },
  ],
  judges: [{ name: "binary", model: "google:gemini-test" }],
});

describe("replay of a run", () => {
  it("answers from its cache with the original usage, under the original name", async () => {
    const { server, live, model, offline } = await finishedRun(oneModel);
    const replayed = offline.model({ ...spec, id: "replay:r1", sampling: { temperature: 0 } });
    expect(replayed).toMatchObject({
      id: model.id,
      fingerprint: model.fingerprint,
      contextTokens: model.contextTokens,
      offline: false,
    });
    expect(await replayed.call(ask("Who?"))).toEqual({
      ...live,
      usage: { ...live.usage, replayed: true },
    });
    expect(server.calls).toHaveLength(1);
    expect(offline.ledger.rows()).toMatchObject([{ calls: 0, replays: 1 }]);
  });

  it("names task, question and difference of a call that the run did not make", async () => {
    const { offline } = await finishedRun(oneModel);
    const replayed = offline.model({ ...spec, id: "replay:r1", sampling: { temperature: 1 } });
    await expect(replayed.call(ask("Who?"))).rejects.toMatchObject({
      kind: "missing_reply",
      code: "E_MODEL_MISSING_REPLY",
      message: expect.stringContaining("vanilla.answer"),
      details: { got: expect.stringMatching(/temperature is 1, stored was 0.*Who\?/) },
    });
    await expect(replayed.call(ask("When?"))).rejects.toMatchObject({
      details: { got: expect.stringContaining("no entry") },
    });
  });

  it("takes one of several models by its id, or the judge's", async () => {
    const { offline } = await finishedRun((model) => ({
      models: [
        { id: model.id, offline: false, fingerprint: "a" },
        { id: "openai:gpt-test", offline: false, fingerprint: "b" },
      ],
      judges: [{ name: "binary", model: "google:gemini-test" }],
    }));
    const open = (id: string) => offline.model({ ...spec, id }).id;
    expect(open("replay:r1/openai:gpt-test")).toBe("openai:gpt-test");
    expect(open("replay:r1/google:gemini-test")).toBe("google:gemini-test");
    expect(() => open("replay:r1")).toThrow(
      expect.objectContaining({
        code: "E_REPLAY",
        details: expect.objectContaining({ got: expect.stringContaining("openai:gpt-test") }),
      }),
    );
  });

  it("refuses a run that is not there, and one that called no model over the network", async () => {
    const { offline } = await finishedRun(() => ({
      models: [{ id: "offline:extractive", offline: true, fingerprint: "x" }],
      judges: [],
    }));
    for (const id of ["replay:r1", "replay:nowhere"]) {
      expect(() => offline.model({ ...spec, id })).toThrow(
        expect.objectContaining({ code: "E_REPLAY" }),
      );
    }
  });
});
