import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { FakeChatModel } from "@langchain/core/utils/testing";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ChatMessage, ToolDefinition } from "../core/model.ts";
import { type LoopbackModels, startLoopbackModels } from "../tests/support/loopback-models.ts";
import { langchainChatModel } from "./langchain-chat-model.ts";

const tool: ToolDefinition = {
  name: "look",
  description: "Looks something up.",
  parameters: {
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
    additionalProperties: false,
  },
};

const question: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Why?" },
];

let server: LoopbackModels;
beforeEach(async () => {
  server = await startLoopbackModels();
  onTestFinished(() => server.close());
});

const key = "sk-very-secret";
const vendors = {
  openai: () =>
    new ChatOpenAI({
      model: "gpt-test",
      apiKey: key,
      maxRetries: 0,
      configuration: { baseURL: server.openaiUrl },
    }),
  anthropic: () =>
    new ChatAnthropic({
      model: "claude-test",
      apiKey: key,
      maxRetries: 0,
      anthropicApiUrl: server.url,
    }),
  google: () =>
    new ChatGoogleGenerativeAI({
      model: "gemini-test",
      apiKey: key,
      maxRetries: 0,
      baseUrl: server.url,
    }),
};
const names = Object.keys(vendors) as (keyof typeof vendors)[];
const open = (vendor: keyof typeof vendors) => langchainChatModel({ model: vendors[vendor]() });
const usage = { uncached: 70, cacheRead: 20, output: 9 };

describe.each(names)("a LangChain model of %s", (vendor) => {
  it("brings text, stop reason, tokens and the resolved model", async () => {
    server.next({ text: "Because.", usage });
    const reply = await open(vendor).call({ task: "t", messages: question });
    expect(reply).toMatchObject({
      message: { role: "assistant", content: "Because." },
      stopReason: "stop",
      usage: {
        uncachedInputTokens: 70,
        cacheReadTokens: 20,
        outputTokens: 9,
        costUsd: null,
        attempts: 1,
      },
    });
    expect(reply.usage.llmMs).toBeGreaterThan(0);
  });

  it("calls tools and takes their results", async () => {
    const model = open(vendor);
    server.next({ toolCalls: [{ id: "call-1", name: "look", arguments: { query: "x" } }] });
    const first = await model.call({ task: "t", messages: question, tools: [tool] });
    expect(first.stopReason).toBe("tool_calls");
    const [call] = first.message.toolCalls ?? [];
    expect(call).toMatchObject({ name: "look", arguments: { query: "x" } });
    server.next({ text: "Found." });
    const second = await model.call({
      task: "t",
      messages: [
        ...question,
        first.message,
        { role: "tool", toolCallId: call!.id, name: "look", content: "the result" },
        { role: "user", content: "Go on." },
      ],
      tools: [tool],
    });
    expect(second.message.content).toBe("Found.");
    expect(JSON.stringify(server.calls[1]!.body)).toContain("the result");
  });

  it("offers the tools but forbids their use where asked to", async () => {
    server.next({ text: "Done." });
    await open(vendor).call({ task: "t", messages: question, tools: [tool], toolChoice: "none" });
    const { body } = server.calls[0]!;
    const choice = body.tool_choice ?? body.toolConfig.functionCallingConfig.mode;
    expect(JSON.stringify(choice).toLowerCase()).toContain("none");
    expect(JSON.stringify(body.tools)).toContain("Looks something up.");
  });

  it("says when a reply was cut", async () => {
    server.next({ text: "Beca", stop: "length" });
    const { stopReason } = await open(vendor).call({ task: "t", messages: question });
    expect(stopReason).toBe("length");
  });

  it("sorts failures and keeps the key out of them", async () => {
    server.next({ status: 401, message: `no such key ${key}` });
    const failed = open(vendor).call({ task: "t", messages: question });
    await expect(failed).rejects.toMatchObject({ kind: "auth" });
    await expect(failed).rejects.not.toThrow(key);
  });

  it("stops when the signal fires", async () => {
    server.next({ fault: "hang" });
    const stop = new AbortController();
    const call = open(vendor).call({ task: "t", messages: question, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(call).rejects.toMatchObject({ kind: "aborted" });
  });
});

describe("a LangChain model", () => {
  it("hands on a call whose arguments are not JSON, and answers it later without them", async () => {
    const model = open("openai");
    server.next({ toolCalls: [{ id: "c", name: "look", arguments: '{"query": ' }] });
    const { message, stopReason } = await model.call({
      task: "t",
      messages: question,
      tools: [tool],
    });
    expect(stopReason).toBe("tool_calls");
    expect(message.toolCalls).toEqual([
      { id: "c", name: "look", arguments: {}, invalid: '{"query": ' },
    ]);
    const result: ChatMessage = { role: "tool", toolCallId: "c", name: "look", content: "no" };
    await model.call({ task: "t", messages: [...question, message, result], tools: [tool] });
    const sent = server.calls[1]!.body.messages.find(
      (m: { role: string }) => m.role === "assistant",
    );
    expect(sent.tool_calls[0]).toMatchObject({ id: "c", function: { arguments: "{}" } });
  });

  it("knows a refusal by its stop reason or by OpenAI's field for it", async () => {
    server.next({ stop: "refusal", text: "No." });
    const byReason = await open("anthropic").call({ task: "t", messages: question });
    expect(byReason).toMatchObject({ stopReason: "refusal", message: { content: "No." } });
    const said = new AIMessage({ content: "", additional_kwargs: { refusal: "No." } });
    const model = langchainChatModel({ model: fakeModel().respond(said) });
    const byField = await model.call({ task: "t", messages: question });
    expect(byField).toMatchObject({ stopReason: "refusal", message: { content: "No." } });
  });

  it("sends thinking back as it came", async () => {
    const thinking = { text: "hmm", signature: "signed" };
    server.next({ thinking, toolCalls: [{ id: "c", name: "look", arguments: { query: "x" } }] });
    const model = open("anthropic");
    const { message } = await model.call({ task: "t", messages: question, tools: [tool] });
    const result: ChatMessage = { role: "tool", toolCallId: "c", name: "look", content: "yes" };
    await model.call({ task: "t", messages: [...question, message, result], tools: [tool] });
    expect(server.calls[1]!.body.messages[1].content).toEqual([
      { type: "thinking", thinking: "hmm", signature: "signed" },
      { type: "tool_use", id: "c", name: "look", input: { query: "x" } },
    ]);
  });

  it("counts tokens where none are reported", async () => {
    const model = langchainChatModel({
      model: fakeModel().respond(new AIMessage("one two three")),
    });
    const { usage } = await model.call({ task: "t", messages: question });
    expect(usage).toMatchObject({ outputTokens: 3, cacheReadTokens: 0 });
    expect(usage.uncachedInputTokens).toBeGreaterThan(4);
  });

  it("takes its window from the caller, the profile or the fallback", () => {
    const model = fakeModel();
    expect(langchainChatModel({ model, contextTokens: 1000 }).contextTokens).toBe(1000);
    expect(langchainChatModel({ model }).contextTokens).toBe(32_768);
    const profile = { value: { maxInputTokens: 5000 } };
    const profiled = Object.defineProperty(fakeModel(), "profile", profile);
    expect(langchainChatModel({ model: profiled }).contextTokens).toBe(5000);
  });

  it("must be able to call tools", () => {
    expect(() => langchainChatModel({ model: new FakeChatModel({}) })).toThrow("cannot call tools");
  });
});
