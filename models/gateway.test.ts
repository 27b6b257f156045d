import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelReply, ModelRequest } from "../core/model.ts";
import { loopbackGateway, loopbackKeys } from "../tests/support/loopback-gateway.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { makeCatalog } from "./catalog.ts";
import { capOf, createGateway } from "./gateway.ts";
import type { Provider, ProviderReply, ProviderRequest } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";

const haiku = { id: "anthropic:claude-test", role: "answer", repeat: 0 } as const;
const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  task: "test.ask",
  messages: [{ role: "user", content }],
  ...more,
});

describe("response cache in the gateway", () => {
  it("replays a call with its original time, cost and tool calls, and says so", async () => {
    const { server, gateway, reopen } = await loopbackGateway({ cacheFolder: temporaryFolder() });
    server.next(
      { status: 500 },
      { text: "Looking.", toolCalls: [{ name: "search", arguments: { q: "x" } }], delayMs: 20 },
    );
    const live = await gateway.model(haiku).call(ask("Q"));
    await gateway.close();
    const again = reopen();
    const replay = await again.model(haiku).call(ask("Q", { task: "another.task" }));
    expect(replay).toEqual({ ...live, usage: { ...live.usage, replayed: true } });
    expect(live.usage).toMatchObject({ replayed: false, attempts: 2 });
    expect(server.calls).toHaveLength(2);
    expect(again.cacheReport()).toEqual({ hits: 1, misses: 0 });
    expect(again.ledger.rows()).toMatchObject([
      { calls: 0, replays: 1, live: { costUsd: 0 }, replayed: { costUsd: live.usage.costUsd } },
    ]);
    expect(again.ledger.spentUsd(["answer"])).toBe(0);
  });

  it("asks again for another model, base URL, sampling or repeat", async () => {
    const { server, gateway } = await loopbackGateway({ cacheFolder: temporaryFolder() });
    const compatible = { role: "answer", repeat: 0 } as const;
    const specs = [
      haiku,
      { ...haiku, id: "openai:gpt-test" },
      { ...haiku, repeat: 1 },
      { ...haiku, sampling: { temperature: 0.3 } },
      { ...compatible, id: `openai-compatible:m@${server.openaiUrl}` },
      { ...compatible, id: `openai-compatible:m@${server.url}/other/v1` },
    ];
    for (const spec of specs) await gateway.model(spec).call(ask("Q"));
    expect(server.calls).toHaveLength(specs.length);
    for (const spec of specs) await gateway.model(spec).call(ask("Q"));
    expect(server.calls).toHaveLength(specs.length);
  });

  it("stores no error, refusal, cut reply or reply its caller rejects", async () => {
    const { server, gateway } = await loopbackGateway({ cacheFolder: temporaryFolder() });
    const model = gateway.model(haiku);
    server.next({ status: 400 });
    await expect(model.call(ask("error"))).rejects.toThrow();
    server.next({ text: "no", stop: "refusal" }, { text: "cu", stop: "length" });
    await model.call(ask("refusal"));
    await model.call(ask("length"));
    server.next({ text: "maybe" });
    const verdict = (reply: ModelReply) => reply.message.content !== "maybe";
    await model.call(ask("verdict", { cacheable: verdict }));
    const before = server.calls.length;
    for (const content of ["error", "refusal", "length"]) await model.call(ask(content));
    await model.call(ask("verdict", { cacheable: verdict }));
    expect(server.calls.length - before).toBe(4);
    for (const content of ["error", "refusal", "length"]) await model.call(ask(content));
    expect(server.calls.length - before, "good replies are stored").toBe(4);
  });

  it("counts hits and misses and says why the first miss was one", async () => {
    const { gateway, reopen } = await loopbackGateway({ cacheFolder: temporaryFolder() });
    const warm = gateway.model({ ...haiku, sampling: { temperature: 0 } });
    await warm.call(ask("Q"));
    await warm.call(ask("Q"));
    expect(gateway.cacheReport()).toMatchObject({
      hits: 1,
      misses: 1,
      firstMiss: { task: "test.ask", reason: "no entry" },
    });
    const { key } = gateway.cacheReport().firstMiss!;
    await gateway.close();
    expect(reopen().explain(key)).toMatchObject({
      model: "claude-test",
      sampling: { temperature: 0 },
    });
  });

  it("names the part that differs from a near entry", async () => {
    const { gateway, reopen } = await loopbackGateway({ cacheFolder: temporaryFolder() });
    await gateway.model({ ...haiku, sampling: { temperature: 0 } }).call(ask("Q"));
    await gateway.close();
    const next = reopen();
    await next.model({ ...haiku, sampling: { temperature: 1 } }).call(ask("Q"));
    expect(next.cacheReport().firstMiss!.reason).toBe(
      "no entry; nearest differs: sampling.temperature is 1, stored was 0",
    );
  });

  it("keeps keys out of the cache folder", async () => {
    const folder = temporaryFolder();
    const { gateway } = await loopbackGateway({ cacheFolder: folder });
    for (const id of ["anthropic:claude-test", "openai:gpt-test", "google:gemini-test"]) {
      await gateway.model({ ...haiku, id }).call(ask("Q"));
    }
    await gateway.close();
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = readFileSync(join(folder, file), "latin1");
      for (const key of Object.values(loopbackKeys)) expect(bytes.includes(key)).toBe(false);
    }
  });

  it("answers offline from the cache alone, without a key", async () => {
    const cacheFolder = temporaryFolder();
    const { server, gateway } = await loopbackGateway({ cacheFolder });
    await gateway.model(haiku).call(ask("known"));
    await gateway.close();
    const catalog = makeCatalog([
      {
        schema: "ritbench.models/1",
        providers: { anthropic: { baseUrl: server.url, maxTokens: 1000 } },
        models: [],
      },
    ]);
    const offline = createGateway({ catalog, cacheFolder, offline: true });
    const model = offline.model(haiku);
    expect((await model.call(ask("known"))).usage.replayed).toBe(true);
    await expect(model.call(ask("unknown"))).rejects.toMatchObject({
      code: "E_MODEL_NETWORK",
      message: expect.stringContaining("offline"),
    });
    expect(server.calls).toHaveLength(1);
    await offline.close();
  });
});

describe("identical calls at once", () => {
  it("50 of them make one request, and one bill", async () => {
    const { server, gateway } = await loopbackGateway();
    server.next({ text: "once", delayMs: 30 });
    const model = gateway.model(haiku);
    const replies = await Promise.all(Array.from({ length: 50 }, () => model.call(ask("Q"))));
    expect(server.calls).toHaveLength(1);
    expect(replies.filter((r) => r.usage.replayed)).toHaveLength(49);
    expect(new Set(replies.map((r) => r.usage.llmMs)).size).toBe(1);
    expect(gateway.ledger.rows()).toMatchObject([{ calls: 1, replays: 49 }]);
  });

  it("all 50 see a failure", async () => {
    const { server, gateway } = await loopbackGateway();
    server.answer(() => ({ status: 400, message: "bad luck" }));
    const model = gateway.model(haiku);
    const ends = await Promise.allSettled(Array.from({ length: 50 }, () => model.call(ask("Q"))));
    expect(server.calls).toHaveLength(1);
    expect(ends.every((e) => e.status === "rejected" && e.reason.kind === "bad_request")).toBe(
      true,
    );
    expect(gateway.ledger.rows()).toMatchObject([{ failures: 50, calls: 0 }]);
  });
});

describe("retries end to end", () => {
  it.each([
    [0, 1],
    [2, 3],
  ])("maxRetries %i: a call that always fails makes %i requests", async (maxRetries, requests) => {
    const { server, gateway } = await loopbackGateway({ retry: { maxRetries } });
    server.answer(() => ({ status: 503 }));
    for (const id of ["anthropic:claude-test", "openai:gpt-test", "google:gemini-test"]) {
      const before = server.calls.length;
      await expect(gateway.model({ ...haiku, id }).call(ask("Q"))).rejects.toThrow();
      expect(server.calls.length - before).toBe(requests);
    }
  });

  it("aborting a run ends its calls in flight, in queue and in backoff", async () => {
    const { server, gateway } = await loopbackGateway({ concurrency: 2 });
    server.answer(() => ({ fault: "hang" }));
    const run = new AbortController();
    const model = gateway.model(haiku);
    const calls = Array.from({ length: 6 }, (_, i) =>
      model.call(ask(`Q${i}`, { signal: run.signal })),
    );
    const ends = Promise.allSettled(calls);
    while (server.calls.length < 2) await new Promise((go) => setTimeout(go, 5));
    run.abort();
    for (const end of await ends) {
      expect(end).toMatchObject({ status: "rejected", reason: { kind: "aborted" } });
    }
    expect(server.calls).toHaveLength(2);
    await gateway.close();
  });
});

describe("money", () => {
  // 1,000 prompt tokens at $1 and 100 reply tokens at $10 a million: $0.002 a call.
  const usage = { uncached: 1000, output: 100 };

  it("books tokens, money and time by role and model", async () => {
    const { server, gateway } = await loopbackGateway();
    server.answer(() => ({ text: "a", usage }));
    await gateway.model(haiku).call(ask("1"));
    await gateway.model(haiku).call(ask("2"));
    await gateway.model({ ...haiku, role: "judge", id: "openai:gpt-test" }).call(ask("3"));
    const rows = gateway.ledger.rows();
    expect(rows.map((r) => [r.role, r.model, r.calls, r.live.uncachedInputTokens])).toEqual([
      ["answer", "anthropic:claude-test", 2, 2000],
      ["judge", "openai:gpt-test", 1, 1000],
    ]);
    expect(gateway.ledger.spentUsd(["answer"])).toBeCloseTo(0.004, 12);
    expect(gateway.ledger.spentUsd(["answer", "judge"])).toBeCloseTo(0.006, 12);
    expect(rows[0]!.live.llmMs).toBeGreaterThan(0);
  });

  it("ends a capped run below its cap and says which roles the cap covers", async () => {
    const caps = [capOf(0.05, ["answer"])];
    const { server, gateway } = await loopbackGateway({ caps });
    server.answer(() => ({ text: "a", usage }));
    const model = gateway.model({ ...haiku, maxTokens: 100 });
    const ends = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => model.call(ask(`${i} ${"x".repeat(3600)}`))),
    );
    const errors = ends.flatMap((e) => (e.status === "rejected" ? [e.reason] : []));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toMatchObject({ kind: "budget" });
      expect(error.message).toContain("for answer calls");
    }
    expect(gateway.ledger.spentUsd(["answer"])!).toBeLessThanOrEqual(0.05);
    expect(server.calls.length).toBeGreaterThan(20);
    await gateway.model({ ...haiku, role: "judge" }).call(ask("not covered"));
  });

  it("refuses to start under a cap without a price, and not without a cap", async () => {
    const { server, gateway } = await loopbackGateway({ caps: [capOf(1, ["answer"])] });
    const unknown = { id: `openai-compatible:m@${server.openaiUrl}`, repeat: 0 } as const;
    expect(() => gateway.model({ ...unknown, role: "answer" })).toThrow(
      expect.objectContaining({ code: "E_PRICE_UNKNOWN" }),
    );
    await gateway.model({ ...unknown, role: "judge" }).call(ask("Q"));
    expect(gateway.ledger.spentUsd(["judge"])).toBeNull();
    expect(() => capOf(Number.NaN, ["answer"])).toThrow("positive");
  });

  it("bills failed attempts that say what they used", async () => {
    const { server, gateway } = await loopbackGateway({ retry: { maxRetries: 1 } });
    const model = gateway.model({ ...haiku, id: "google:gemini-test" });
    server.next({ stop: "malformed", usage }, { text: "a", usage });
    const reply = await model.call(ask("Q"));
    expect(reply.usage).toMatchObject({ attempts: 2, outputTokens: 100 });
    expect(reply.usage.costUsd).toBeCloseTo(0.002, 12);
    expect(gateway.ledger.spentUsd(["answer"])).toBeCloseTo(0.004, 12);
    server.next({ stop: "malformed", usage }, { stop: "malformed", usage });
    const failed = await model.call(ask("R")).catch((error) => error);
    expect(failed).toMatchObject({ kind: "server", usage: { attempts: 2 } });
    expect(failed.usage.costUsd).toBeCloseTo(0.004, 12);
    expect(gateway.ledger.rows()).toMatchObject([{ calls: 1, failures: 1 }]);
    expect(gateway.ledger.spentUsd(["answer"])).toBeCloseTo(0.008, 12);
  });
});

describe("stand-ins", () => {
  const standIn = (send: (request: ProviderRequest) => Promise<ProviderReply>): Provider => ({
    id: "offline:echo",
    contextTokens: 1000,
    offline: true,
    version: "1",
    send,
  });
  const echo = standIn(async (request) => ({
    message: { role: "assistant", content: `${request.task} ${request.hints?.question}` },
    stopReason: "stop",
    usage: {
      uncachedInputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
    },
  }));

  it("see task and hints, take no time, cost nothing and are never cached", async () => {
    const { gateway } = await loopbackGateway({
      cacheFolder: temporaryFolder(),
      caps: [capOf(0.01, ["answer"])],
      providers: { offline: () => echo },
    });
    const model = gateway.model({ ...haiku, id: "offline:echo" });
    expect(model).toMatchObject({ id: "offline:echo", offline: true, contextTokens: 1000 });
    const reply = await model.call(ask("Q", { hints: { question: "why" } }));
    expect(reply.message.content).toBe("test.ask why");
    expect(reply.usage).toMatchObject({ llmMs: null, costUsd: 0, cachedCostUsd: 0 });
    await model.call(ask("Q", { hints: { question: "when" } }));
    expect(gateway.cacheReport()).toEqual({ hits: 0, misses: 0 });
    expect(gateway.missingKeys(["offline:echo"])).toEqual([]);
  });

  it("have a fingerprint that follows rules and settings, not role or repeat", async () => {
    const versioned = (version: string): Provider => ({ ...echo, version });
    let version = "1";
    const { gateway } = await loopbackGateway({
      providers: { offline: () => versioned(version) },
    });
    const print = (more: object = {}) =>
      gateway.model({ ...haiku, id: "offline:echo", ...more }).fingerprint;
    const first = print();
    expect(print({ role: "judge", repeat: 4 })).toBe(first);
    expect(print({ sampling: { temperature: 0 } })).not.toBe(first);
    expect(print({ maxTokens: 9 })).not.toBe(first);
    version = "2";
    expect(print()).not.toBe(first);
  });

  it("fail with what they throw", async () => {
    const broken = standIn(() => Promise.reject(new ProviderError("server", "broken rules")));
    const { gateway } = await loopbackGateway({ providers: { offline: () => broken } });
    await expect(gateway.model({ ...haiku, id: "offline:x" }).call(ask("Q"))).rejects.toThrow(
      "broken rules",
    );
  });
});

describe("model ids", () => {
  it("an unknown provider is an error with a near miss", async () => {
    const { gateway } = await loopbackGateway();
    expect(() => gateway.model({ ...haiku, id: "anthropc:claude-test" })).toThrow(
      expect.objectContaining({
        code: "E_MODEL_UNKNOWN",
        details: expect.objectContaining({ next: "did you mean anthropic:claude-test?" }),
      }),
    );
  });
});
