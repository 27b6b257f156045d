import { fork } from "node:child_process";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, it, onTestFinished } from "vitest";
import { noUsage } from "../../core/usage.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import type { ProviderRequest } from "../provider.ts";
import { cacheKey } from "./key.ts";
import { openResponseCache, type StoredReply } from "./response-cache.ts";

const identity = { provider: "openai", model: "gpt", baseUrl: "https://a/v1" };
const key = (content: string, more: Partial<ProviderRequest> = {}) =>
  cacheKey(identity, {
    task: "t",
    role: "answer",
    repeat: 0,
    messages: [
      { role: "system", content: "S" },
      { role: "user", content },
    ],
    ...more,
  });
const reply = (content: string): StoredReply => ({
  message: { role: "assistant", content },
  stopReason: "stop",
  usage: { ...noUsage, llmMs: 812.5, outputTokens: 3, attempts: 2, waitMs: 40, costUsd: 0.25 },
  storedAt: "2026-01-01T00:00:00.000Z",
});

function openHere(folder = temporaryFolder()) {
  const cache = openResponseCache(folder);
  onTestFinished(() => cache.close());
  return { cache, folder };
}

describe("response cache", () => {
  it("gives back what was put, after reopening too", async () => {
    const { cache, folder } = openHere();
    await cache.put(key("Q"), reply("A"));
    expect(cache.get(key("Q").id)).toEqual(reply("A"));
    await cache.close();
    const { cache: again } = openHere(folder);
    expect(again.get(key("Q").id)).toEqual(reply("A"));
    expect(again.get(key("R").id)).toBeUndefined();
  });

  it("may be opened several times in one process; the last one closes it", async () => {
    const { cache, folder } = openHere();
    const { cache: second } = openHere(folder);
    await cache.put(key("Q"), reply("A"));
    await cache.close();
    await cache.close();
    expect(second.get(key("Q").id)).toEqual(reply("A"));
  });

  it("explains a key by its parts, texts shortened", async () => {
    const { cache } = openHere();
    const long = `Question ${"x".repeat(500)}`;
    await cache.put(key(long, { sampling: { temperature: 0 } }), reply("A"));
    const parts = cache.explain(key(long, { sampling: { temperature: 0 } }).id);
    expect(parts).toMatchObject({
      ...identity,
      repeat: 0,
      sampling: { temperature: 0 },
      storedAt: "2026-01-01T00:00:00.000Z",
    });
    expect(parts!.messages.map((m) => [m.role, m.chars])).toEqual([
      ["system", 1],
      ["user", 509],
    ]);
    expect(parts!.messages[1]!.preview.length).toBeLessThanOrEqual(80);
    expect(cache.explain("nothing")).toBeUndefined();
  });

  it("says why a key is missing", async () => {
    const { cache } = openHere();
    expect(cache.whyMissing(key("Q"))).toBe("no entry");
    await cache.put(key("Q", { sampling: { temperature: 0 } }), reply("A"));
    await cache.put(key("Q", { sampling: { temperature: 1 }, repeat: 3 }), reply("B"));
    expect(cache.whyMissing(key("Q", { sampling: { temperature: 0.5 } }))).toBe(
      "no entry; nearest differs: sampling.temperature is 0.5, stored was 0",
    );
    expect(cache.whyMissing(key("other"))).toBe("no entry");
  });

  it.each(["", "{", "null", '{"version":1}', '{"version":2,"reply":{}}', "\u0000\u0001"])(
    "ignores a damaged entry %j",
    async (damage) => {
      const folder = temporaryFolder();
      const root = open({ path: folder, maxDbs: 4 });
      await root.openDB({ name: "replies", encoding: "string" }).put(key("Q").id, damage);
      await root.close();
      const { cache } = openHere(folder);
      expect(cache.get(key("Q").id)).toBeUndefined();
      expect(cache.explain(key("Q").id)).toBeUndefined();
      expect(cache.whyMissing(key("Q"))).toBe("the entry cannot be read");
      await cache.put(key("Q"), reply("mended"));
      expect(cache.get(key("Q").id)?.message.content).toBe("mended");
    },
  );

  it("is shared by processes that write at the same time", async () => {
    const folder = temporaryFolder();
    const script = join(import.meta.dirname, "../../tests/support/cache-writer.ts");
    const writer = (name: string) =>
      new Promise<number | null>((resolve) => {
        fork(script, [folder, name, "40"], { execArgv: ["--import", "tsx"] }).on("exit", resolve);
      });
    expect(await Promise.all([writer("a"), writer("b")])).toEqual([0, 0]);
    const { cache } = openHere(folder);
    for (const name of ["a", "b"]) {
      for (let i = 0; i < 40; i++) {
        expect(cache.get(key(`${name}${i}`).id)?.message.content).toBe(`reply ${name}${i}`);
      }
    }
  });
});
