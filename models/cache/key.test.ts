import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/model.ts";
import type { ProviderIdentity, ProviderRequest } from "../provider.ts";
import { cacheKey, differences } from "./key.ts";

const identity: ProviderIdentity = { provider: "openai", model: "gpt", baseUrl: "https://a/v1" };
const request: ProviderRequest = {
  task: "rit-rag.turn",
  role: "answer",
  repeat: 0,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What were net sales?" },
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "c1", name: "search", arguments: { query: "net sales" } }],
      provider: { google: { signatures: { c1: "s" } } },
    },
    { role: "tool", toolCallId: "c1", name: "search", content: "17" },
  ],
  tools: [{ name: "search", description: "Finds", parameters: { type: "object" } }],
  toolChoice: "auto",
  parallelToolCalls: false,
  sampling: { temperature: 0.5, topP: 0.9, topK: 20, minP: 0, reasoningEffort: "low", seed: 1 },
  maxTokens: 100,
  responseFormat: "json",
};

const base = cacheKey(identity, request).id;
const id = (change: Partial<ProviderRequest>) => cacheKey(identity, { ...request, ...change }).id;

/** Every place in a value where a leaf stands, with a copy of the value changed there. */
function* mutations(value: unknown, path: string[] = []): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null) {
    const changed =
      typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}x`;
    yield [path.join("."), changed];
    return;
  }
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    for (const [where, changed] of mutations(inner, [...path, key])) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      (copy as Record<string, unknown>)[key] = changed;
      yield [where, copy];
    }
  }
}

const visible = (({ task: _, role: __, hints: ___, ...rest }) => rest)(request);

describe("cache key", () => {
  it.each([...mutations(visible)])("changes with the visible field %s", (_, changed) => {
    expect(cacheKey(identity, { ...request, ...(changed as ProviderRequest) }).id).not.toBe(base);
  });

  it.each([...mutations(identity)])("changes with the identity's %s", (_, changed) => {
    expect(cacheKey(changed as ProviderIdentity, request).id).not.toBe(base);
  });

  it("changes when a visible field goes away", () => {
    const fields = ["tools", "maxTokens", "responseFormat", "sampling"] as const;
    const ids = fields.map((field) => {
      const { [field]: _, ...rest } = request;
      return cacheKey(identity, rest as ProviderRequest).id;
    });
    expect(new Set([base, ...ids]).size).toBe(fields.length + 1);
    expect(id({ messages: request.messages.slice(0, -1) })).not.toBe(base);
    expect(id({ messages: [...request.messages].reverse() })).not.toBe(base);
  });

  it("does not change with what no provider sees", () => {
    expect(id({ task: "other" })).toBe(base);
    expect(id({ role: "judge" })).toBe(base);
    expect(id({ hints: { question: "Q" } })).toBe(base);
    // Settings of the caller that could ride along by mistake.
    const more = { signal: new AbortController().signal, timeoutMs: 5, concurrency: 9, retries: 3 };
    expect(id(more as Partial<ProviderRequest>)).toBe(base);
  });

  it("takes an unset choice as the default that is sent", () => {
    const { toolChoice: _, parallelToolCalls: __, ...unset } = request;
    expect(cacheKey(identity, unset).id).toBe(base);
    const plain = cacheKey(identity, { ...request, tools: [] }).id;
    const { tools: ___, ...without } = request;
    expect(cacheKey(identity, without).id).toBe(plain);
  });

  it("does not depend on the order in which keys were set (property)", () => {
    const shuffled = (value: unknown, order: (keys: string[]) => string[]): unknown => {
      if (Array.isArray(value)) return value.map((item) => shuffled(item, order));
      if (typeof value !== "object" || value === null) return value;
      const record = value as Record<string, unknown>;
      return Object.fromEntries(
        order(Object.keys(record)).map((key) => [key, shuffled(record[key], order)]),
      );
    };
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const order = (keys: string[]) =>
          keys
            .map((key) => [numbers.next().value as number, key] as const)
            .sort(([a], [b]) => a - b)
            .map(([, key]) => key);
        const mixed = shuffled(request, order) as ProviderRequest;
        expect(cacheKey(identity, mixed).id).toBe(base);
      }),
    );
  });

  it("differs for any two different conversations (property)", () => {
    const message = fc.record({
      role: fc.constantFrom("user" as const, "system" as const),
      content: fc.string({ maxLength: 6 }),
    });
    const conversation = fc.array(message, { maxLength: 4 });
    const keyOf = (messages: ChatMessage[]) => cacheKey(identity, { ...request, messages }).id;
    fc.assert(
      fc.property(conversation, conversation, (a, b) => {
        expect(keyOf(a) === keyOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});

describe("differences of two keys", () => {
  const parts = cacheKey(identity, request).parts;
  const against = (change: Partial<ProviderRequest>) =>
    differences(parts, cacheKey(identity, { ...request, ...change }).parts);

  it("names the parts", () => {
    expect(against({})).toEqual([]);
    expect(against({ repeat: 2 })).toEqual(["repeat is 0, stored was 2"]);
    expect(against({ sampling: { ...request.sampling, temperature: 1 } })).toEqual([
      "sampling.temperature is 0.5, stored was 1",
    ]);
    expect(against({ messages: [request.messages[1]!, ...request.messages.slice(1)] })).toEqual([
      "messages[0] (system) differs",
    ]);
    expect(against({ messages: request.messages.slice(0, 2) })).toEqual([
      "number of messages is 4, stored was 2",
    ]);
    expect(against({ tools: [] })).toContain("the tools differ");
  });
});
