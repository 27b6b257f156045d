import { describe, expect, it } from "vitest";
import type { ChatMessage, ModelRequest, ToolDefinition } from "../../core/model.ts";
import { loopbackGateway, loopbackKeys } from "../../tests/support/loopback-gateway.ts";
import type { Script } from "../../tests/support/loopback-models.ts";

const vendors = ["anthropic:claude-test", "openai:gpt-test", "google:gemini-test"] as const;
const spec = (id: string) => ({ id, role: "answer" as const, repeat: 0 });
const tools: ToolDefinition[] = [
  {
    name: "search",
    description: "Finds passages",
    parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  },
];
const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  task: "test",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content },
  ],
  ...more,
});

describe.each(vendors)("%s over the wire", (id) => {
  const provider = id.split(":")[0] as keyof typeof loopbackKeys;

  it("answers with text, usage, cost and the vendor's model id", async () => {
    const { server, gateway } = await loopbackGateway();
    server.next({
      text: "42",
      model: "resolved-1",
      usage: { uncached: 100, cacheRead: 20, output: 5 },
    });
    const reply = await gateway.model(spec(id)).call(ask("What?", { maxTokens: 77 }));
    expect(reply).toMatchObject({
      message: { role: "assistant", content: "42" },
      stopReason: "stop",
      resolvedModel: "resolved-1",
      usage: {
        uncachedInputTokens: 100,
        cacheReadTokens: 20,
        outputTokens: 5,
        attempts: 1,
        replayed: false,
        waitMs: 0,
      },
    });
    expect(reply.usage.costUsd).toBeCloseTo((120 * 1 + 5 * 10) / 1e6, 12);
    expect(reply.usage.llmMs).toBeGreaterThan(0);
    expect(reply.message.toolCalls).toBeUndefined();
    const body = JSON.stringify(server.calls[0]!.body);
    expect(body).toContain("Be brief.");
    expect(body).toContain("77");
    expect(JSON.stringify(server.calls[0]!.headers)).toContain(loopbackKeys[provider]);
  });

  it("sends tool results of one turn back, text after them", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model(spec(id));
    server.next({
      text: "Looking.",
      toolCalls: [
        { name: "search", arguments: { q: "a" }, signature: "sig-a" },
        { name: "search", arguments: { q: "b" } },
      ],
    });
    const first = await model.call(ask("Q", { tools }));
    expect(first.stopReason).toBe("tool_calls");
    const calls = first.message.toolCalls!;
    expect(calls.map((c) => c.arguments)).toEqual([{ q: "a" }, { q: "b" }]);
    expect(new Set(calls.map((c) => c.id)).size).toBe(2);
    const results = calls.map(
      (call, i): ChatMessage => ({
        role: "tool",
        toolCallId: call.id,
        name: call.name,
        content: `result ${i}`,
      }),
    );
    server.next({ toolCalls: [{ name: "search", arguments: { q: "c" } }] });
    const second = await model.call({
      task: "test",
      tools,
      messages: [
        ...ask("Q").messages,
        first.message,
        ...results,
        { role: "user", content: "[CONTEXT USAGE] 1%" },
      ],
    });
    expect(second.message.toolCalls).toHaveLength(1);
    const { body } = server.calls[1]!;
    if (provider === "anthropic") {
      expect(body.messages.map((m: { role: string }) => m.role)).toEqual([
        "user",
        "assistant",
        "user",
      ]);
      expect(body.messages[2].content.map((b: { type: string }) => b.type)).toEqual([
        "tool_result",
        "tool_result",
        "text",
      ]);
      expect(body.messages[2].content.map((b: { tool_use_id?: string }) => b.tool_use_id)).toEqual([
        calls[0]!.id,
        calls[1]!.id,
        undefined,
      ]);
    } else if (provider === "openai") {
      expect(body.messages.map((m: { role: string }) => m.role)).toEqual([
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
      ]);
      expect(body.messages[2].tool_calls).toHaveLength(2);
      expect(body.parallel_tool_calls).toBe(false);
    } else {
      const [, turn, answers, after] = body.contents;
      expect(turn.parts.map((p: { thoughtSignature?: string }) => p.thoughtSignature)).toEqual([
        undefined,
        "sig-a",
        undefined,
      ]);
      expect(answers.parts).toHaveLength(2);
      expect(answers.parts[1].functionResponse.response).toEqual({ result: "result 1" });
      expect(after.parts).toEqual([{ text: "[CONTEXT USAGE] 1%" }]);
    }
  });

  it("can go on after a reply without anything in it", async () => {
    const { server, gateway } = await loopbackGateway();
    const messages: ChatMessage[] = [
      ...ask("Q").messages,
      { role: "assistant", content: "" },
      { role: "user", content: "Please answer." },
    ];
    await gateway.model(spec(id)).call(ask("", { messages }));
    const { body } = server.calls[0]!;
    const empty = { anthropic: "(no text)", openai: "", google: [{ text: "(no text)" }] };
    const turn = (body.messages ?? body.contents).find((m: { role: string }) =>
      ["assistant", "model"].includes(m.role),
    );
    expect(turn.content ?? turn.parts).toEqual(empty[provider as keyof typeof empty]);
  });

  it("passes tool choice on", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model(spec(id));
    for (const toolChoice of ["auto", "required", "none"] as const) {
      await model.call(ask("Q", { tools, toolChoice }));
    }
    const sent = server.calls.map(({ body }) => body.tool_choice ?? body.toolConfig);
    const expected = {
      anthropic: [
        { type: "auto", disable_parallel_tool_use: true },
        { type: "any", disable_parallel_tool_use: true },
        { type: "none" },
      ],
      openai: ["auto", "required", "none"],
      google: ["AUTO", "ANY", "NONE"].map((mode) => ({ functionCallingConfig: { mode } })),
    };
    expect(sent).toEqual(expected[provider as keyof typeof expected]);
  });

  it.each([
    ["length", "length"],
    ["refusal", "refusal"],
  ] as const)("reads a stop by %s", async (stop, reason) => {
    const { server, gateway } = await loopbackGateway();
    server.next({ text: "Cut sho", stop });
    expect((await gateway.model(spec(id)).call(ask("Q"))).stopReason).toBe(reason);
  });

  it("keeps arguments that are no object as invalid text", async () => {
    const { server, gateway } = await loopbackGateway();
    const args = provider === "openai" ? '{"q": broken' : ["not", "an", "object"];
    server.next({ toolCalls: [{ name: "search", arguments: args }] });
    const reply = await gateway.model(spec(id)).call(ask("Q", { tools }));
    const call = reply.message.toolCalls![0]!;
    expect(call.arguments).toEqual({});
    expect(call.invalid).toBe(provider === "openai" ? '{"q": broken' : '["not","an","object"]');
    server.next({ text: "sorry" });
    const messages: ChatMessage[] = [
      ...ask("Q").messages,
      reply.message,
      { role: "tool", toolCallId: call.id, name: "search", content: "not JSON" },
    ];
    expect((await gateway.model(spec(id)).call(ask("", { messages, tools }))).stopReason).toBe(
      "stop",
    );
  });

  it("asks for JSON where the vendor can be asked", async () => {
    const { server, gateway } = await loopbackGateway();
    await gateway.model(spec(id)).call(ask("Q", { responseFormat: "json" }));
    const body = JSON.stringify(server.calls[0]!.body);
    if (provider === "openai") expect(body).toContain('"response_format":{"type":"json_object"}');
    if (provider === "google") expect(body).toContain('"responseMimeType":"application/json"');
    if (provider === "anthropic") expect(body).not.toContain("json");
  });

  it.each([
    [{ fault: "reset" }, 2],
    [{ fault: "truncated" }, 2],
    [{ fault: "not-json" }, 2],
    [{ fault: "empty-object" }, 2],
    [{ status: 500 }, 2],
    [{ status: 529, message: "overloaded" }, 2],
    [{ status: 429 }, 2],
  ] as [Script, number][])("retries %j", async (script, requests) => {
    const { server, gateway } = await loopbackGateway();
    server.next(script);
    const reply = await gateway.model(spec(id)).call(ask("Q"));
    expect(reply.message.content).toBe("ok");
    expect(server.calls).toHaveLength(requests);
    expect(reply.usage.attempts).toBe(requests);
  });

  it.each([
    [{ status: 400 }, "bad_request"],
    [{ status: 401 }, "auth"],
    [{ status: 403 }, "auth"],
    [{ status: 404 }, "bad_request"],
    [{ status: 429, code: "insufficient_quota", message: "quota exhausted" }, "quota"],
    [
      { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
      "context_overflow",
    ],
    [
      {
        status: 400,
        message: "This model's maximum context length is 128000 tokens",
        code: "context_length_exceeded",
      },
      "context_overflow",
    ],
    [
      {
        status: 400,
        message:
          "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      },
      "context_overflow",
    ],
  ] as [Script, string][])("does not retry %j: %s", async (script, kind) => {
    const { server, gateway } = await loopbackGateway();
    server.next(script);
    const call = gateway.model(spec(id)).call(ask("Q"));
    await expect(call).rejects.toMatchObject({ name: "ModelError", kind });
    expect(server.calls).toHaveLength(1);
  });

  it("honours the server's wait", async () => {
    const { server, gateway } = await loopbackGateway({ retry: { backoffMs: 60_000 } });
    server.next({ status: 429, headers: { "retry-after-ms": "80" }, retryDelay: "0.08s" });
    const reply = await gateway.model(spec(id)).call(ask("Q"));
    const [first, second] = server.calls;
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(79);
    expect(reply.usage.waitMs).toBeGreaterThanOrEqual(79);
  });

  it("cancels a hanging request on timeout and goes on", async () => {
    const { server, gateway } = await loopbackGateway({ retry: { timeoutMs: 300 } });
    server.next({ fault: "hang" });
    const reply = await gateway.model(spec(id)).call(ask("Q"));
    expect(reply.message.content).toBe("ok");
    expect(server.calls[0]!.abandoned).toBe(true);
  });

  it("cancels a hanging request on abort", async () => {
    const { server, gateway } = await loopbackGateway();
    server.next({ fault: "hang" });
    const controller = new AbortController();
    const call = gateway.model(spec(id)).call(ask("Q", { signal: controller.signal }));
    const gone = expect(call).rejects.toMatchObject({ kind: "aborted", code: "E_MODEL_ABORTED" });
    await until(() => server.calls.length === 1);
    controller.abort();
    await gone;
    await until(() => server.calls[0]!.abandoned);
    expect(server.calls).toHaveLength(1);
  });

  it("never shows the key in an error", async () => {
    const { server, gateway } = await loopbackGateway();
    const key = loopbackKeys[provider];
    server.next({ status: 401, message: `Incorrect API key provided: ${key}.` });
    const error = await gateway
      .model(spec(id))
      .call(ask("Q"))
      .catch((e: Error) => e);
    expect(error).toBeInstanceOf(Error);
    expect(everythingIn(error)).not.toContain("SECRET");
    expect((error as Error).message).toContain("[key]");
  });
});

describe("Anthropic's own ways", () => {
  it("sends thinking blocks back unchanged", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model(spec("anthropic:claude-test"));
    server.next({
      thinking: { text: "Hm.", signature: "signed" },
      text: "Looking.",
      toolCalls: [{ id: "toolu_9", name: "search", arguments: { q: "a" } }],
    });
    const { message } = await model.call(ask("Q", { tools }));
    const result: ChatMessage = {
      role: "tool",
      toolCallId: "toolu_9",
      name: "search",
      content: "r",
    };
    await model.call({ task: "test", tools, messages: [...ask("Q").messages, message, result] });
    expect(server.calls[1]!.body.messages[1].content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "signed" },
      { type: "text", text: "Looking." },
      { type: "tool_use", id: "toolu_9", name: "search", input: { q: "a" } },
    ]);
  });

  it("marks system, tools and the last message of a tool conversation for its prompt cache", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model(spec("anthropic:claude-test"));
    await model.call(ask("Q", { tools }));
    await model.call(ask("Q"));
    const mark = { type: "ephemeral" };
    const [marked, plain] = server.calls.map((call) => call.body);
    expect(marked.system[0].cache_control).toEqual(mark);
    expect(marked.tools[0].cache_control).toEqual(mark);
    expect(marked.messages.at(-1).content.at(-1).cache_control).toEqual(mark);
    expect(JSON.stringify(plain)).not.toContain("cache_control");
  });

  it("turns reasoning effort into a thinking budget below the reply limit", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model({
      ...spec("anthropic:claude-test"),
      sampling: { reasoningEffort: "medium" },
    });
    await model.call(ask("Q", { maxTokens: 6_000 }));
    expect(server.calls[0]!.body.thinking).toEqual({ type: "enabled", budget_tokens: 3_000 });
    await expect(model.call(ask("Q", { maxTokens: 500 }))).rejects.toMatchObject({
      kind: "bad_request",
    });
  });
});

describe("OpenAI and compatible servers", () => {
  const compatible = (url: string) => ({
    ...spec(`openai-compatible:local/model@${url}`),
    sampling: {
      temperature: 0.7,
      topP: 0.8,
      topK: 20,
      minP: 0.05,
      reasoningEffort: "none" as const,
    },
  });

  it("sends topK, minP and the thinking switch to a compatible server only", async () => {
    const { server, gateway } = await loopbackGateway();
    await gateway.model(compatible(server.openaiUrl)).call(ask("Q"));
    expect(server.calls[0]!.body).toMatchObject({
      model: "local/model",
      temperature: 0.7,
      top_p: 0.8,
      top_k: 20,
      min_p: 0.05,
      chat_template_kwargs: { enable_thinking: false },
    });
    const openai = gateway.model({ ...spec("openai:gpt-test"), sampling: { topK: 5 } });
    await expect(openai.call(ask("Q"))).rejects.toMatchObject({ kind: "bad_request" });
  });

  it("needs no key for a compatible server, and its unknown price makes the cost unknown", async () => {
    const { server, gateway } = await loopbackGateway({ keys: {} });
    const reply = await gateway.model(compatible(server.openaiUrl)).call(ask("Q"));
    expect(reply.usage).toMatchObject({ costUsd: null, cachedCostUsd: null });
    expect(gateway.missingKeys([compatible(server.openaiUrl).id, "openai:gpt-test"])).toEqual([
      { provider: "openai", variable: "OPENAI_API_KEY" },
    ]);
    await expect(gateway.model(spec("openai:gpt-test")).call(ask("Q"))).rejects.toMatchObject({
      kind: "auth",
    });
  });

  it("gives reasoning effort and seed to OpenAI", async () => {
    const { server, gateway } = await loopbackGateway();
    const sampling = { reasoningEffort: "low" as const, seed: 7, temperature: 1 };
    await gateway.model({ ...spec("openai:gpt-test"), sampling }).call(ask("Q"));
    expect(server.calls[0]!.body).toMatchObject({
      reasoning_effort: "low",
      seed: 7,
      temperature: 1,
    });
  });
});

describe("Gemini's own ways", () => {
  it("counts thinking as output and leaves a thought out of the text", async () => {
    const { server, gateway } = await loopbackGateway();
    server.next({ text: "42", usage: { uncached: 1000, output: 50, reasoning: 30 } });
    const sampling = { temperature: 0, reasoningEffort: "none" as const, seed: 3 };
    const { usage } = await gateway
      .model({ ...spec("google:gemini-test"), sampling })
      .call(ask("Q"));
    expect(usage).toMatchObject({ outputTokens: 80, reasoningTokens: 30 });
    expect(server.calls[0]!.body.generationConfig).toMatchObject({
      temperature: 0,
      seed: 3,
      thinkingConfig: { thinkingBudget: 0 },
    });
  });

  it("reads a reply without content as what its finish reason says", async () => {
    const { server, gateway } = await loopbackGateway();
    const model = gateway.model(spec("google:gemini-test"));
    server.next({ stop: "length", usage: { uncached: 10, output: 0, reasoning: 90 } });
    const cut = await model.call(ask("Q"));
    expect(cut).toMatchObject({ stopReason: "length", usage: { outputTokens: 90 } });
    server.next({ stop: "refusal" });
    expect((await model.call(ask("Q"))).stopReason).toBe("refusal");
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((go) => setTimeout(go, 5));
}

/** All text reachable from a value, causes and hidden fields included. */
function everythingIn(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "";
  seen.add(value);
  const keys = Reflect.ownKeys(value);
  return keys
    .map(
      (key) => `${String(key)}=${everythingIn((value as Record<PropertyKey, unknown>)[key], seen)}`,
    )
    .join("\n");
}
