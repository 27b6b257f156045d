import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { FakeChatModel } from "@langchain/core/utils/testing";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../core/trace.ts";
import { toyCorpus } from "../tests/support/toy-corpus.ts";
import { createRitRagAgent } from "./rit-rag-agent.ts";

const question = new HumanMessage("How long is the warranty of the Kettle One?");

/** A model that asks for a table of contents, reads the first node titled Warranty, and answers. */
function reader(answer = "Twelve months.") {
  return fakeModel()
    .respondWithTools([{ name: "get_toc_structure", args: { query: "warranty" }, id: "a" }])
    .respond((messages) => {
      const toc = messages.findLast((message) => message.getType() === "tool")?.text ?? "";
      const id = /"id":"([^"]+)","title":"Warranty"/.exec(toc)?.[1];
      const call = { name: "get_content", args: { ids: [id] }, id: "b" };
      return new AIMessage({ content: "", tool_calls: [call] });
    })
    .respond((messages) => {
      const [{ id }] = JSON.parse(messages.findLast((m) => m.getType() === "tool")!.text);
      return new AIMessage(
        `<reasoning>The section says so.</reasoning><answer>${answer}</answer><sources>${id}, nowhere</sources>`,
      );
    });
}

describe("createRitRagAgent", () => {
  it("appends the answer and says what it rests on", async () => {
    const documents = await toyCorpus();
    const state = await createRitRagAgent({ model: reader(), documents }).invoke({
      messages: [question],
    });
    expect(state.messages.map((message) => message.text)).toEqual([
      question.text,
      "Twelve months.",
    ]);
    expect(state).toMatchObject({
      answer: "Twelve months.",
      reasoning: "The section says so.",
      outcome: "answered",
    });
    const [read] = state.reads;
    expect(state.reads).toHaveLength(1);
    expect(state.sources).toEqual([
      {
        id: read!.id,
        nodeId: read!.id,
        documentId: "kettle-1",
        documentTitle: "Kettle One",
        titlePath: ["Kettles", "Kettle One", "Care", "Warranty"],
      },
      { id: "nowhere", titlePath: [] },
    ]);
    const { usage_metadata } = state.messages[1] as AIMessage;
    expect(usage_metadata).toMatchObject({ input_tokens: expect.any(Number) });
  });

  it("streams the events of its trace as they happen", async () => {
    const documents = await toyCorpus();
    const agent = createRitRagAgent({ model: reader(), documents });
    const events: TraceEvent[] = [];
    const stream = await agent.stream({ messages: [question] }, { streamMode: "custom" });
    for await (const event of stream) events.push(event as TraceEvent);
    expect(events.map(({ type }) => type)).toEqual([
      "model_call",
      "retrieved",
      "tool_call",
      "shown",
      "model_call",
      "tool_call",
      "read",
      "model_call",
    ]);
  });

  it("keeps to its budgets and answers all the same", async () => {
    const documents = await toyCorpus();
    const model = fakeModel()
      .respondWithTools([{ name: "get_toc_structure", args: { query: "kettle" }, id: "a" }])
      .respond(new AIMessage("<answer>Best guess.</answer>"));
    const agent = createRitRagAgent({ model, documents, parameters: { B: 1, Bs: 1 } });
    const { outcome, answer } = await agent.invoke({ messages: [question] });
    expect({ outcome, answer }).toEqual({ outcome: "budget_exhausted", answer: "Best guess." });
  });

  it("answers a follow-up in the light of what was said", async () => {
    const documents = await toyCorpus();
    const model = reader();
    await createRitRagAgent({ model, documents }).invoke({
      messages: [
        new SystemMessage("Answer in short sentences."),
        question,
        new AIMessage("Twelve months."),
        new HumanMessage("And of the other one?"),
      ],
    });
    const asked = model.calls[0]!.messages[1]!.text;
    expect(asked).toContain("Instructions: Answer in short sentences.");
    expect(asked).toContain(`User: ${question.text}\n\nAssistant: Twelve months.`);
    expect(asked.trimEnd().endsWith("And of the other one?")).toBe(true);
  });

  it("serves several conversations at once, each with its own memory", async () => {
    const documents = await toyCorpus();
    const unread = fakeModel()
      .respondWithTools([{ name: "get_content", args: { ids: ["kettle-1_0004"] }, id: "a" }])
      .respond(new AIMessage("<answer>No.</answer>"))
      .respond(new AIMessage("<answer>No.</answer>"));
    const [first, second] = await Promise.all([
      createRitRagAgent({ model: reader(), documents }).invoke({ messages: [question] }),
      createRitRagAgent({ model: unread, documents }).invoke({ messages: [question] }),
    ]);
    expect(first.reads).toHaveLength(1);
    expect(second.reads).toEqual([]);
  });

  it("stores its own state alone where the graph around it keeps checkpoints", async () => {
    const documents = await toyCorpus();
    const saver = new MemorySaver();
    const app = new StateGraph(MessagesAnnotation)
      .addNode("ask", createRitRagAgent({ model: reader(), documents }))
      .addEdge(START, "ask")
      .compile({ checkpointer: saver });
    const thread = { configurable: { thread_id: "1" } };
    const { messages } = await app.invoke({ messages: [question] }, thread);
    expect(messages.at(-1)?.text).toBe("Twelve months.");
    const stored = JSON.stringify(saver.storage, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value,
    );
    expect(stored).toContain("Twelve months.");
    expect(stored).not.toContain("toolsByName");
  });

  it("stops when its signal fires", async () => {
    const documents = await toyCorpus();
    const stop = new AbortController();
    const model = fakeModel().respond(() => {
      stop.abort();
      return new AIMessage({
        content: "",
        tool_calls: [{ name: "get_toc_structure", args: { query: "x" }, id: "a" }],
      });
    });
    const agent = createRitRagAgent({ model, documents });
    await expect(agent.invoke({ messages: [question] }, { signal: stop.signal })).rejects.toThrow();
    expect(model.callCount).toBe(1);
  });

  it("rejects with the model's failure", async () => {
    const documents = await toyCorpus();
    const model = fakeModel().alwaysThrow(Object.assign(new Error("no such key"), { status: 401 }));
    const agent = createRitRagAgent({ model, documents });
    await expect(agent.invoke({ messages: [question] })).rejects.toMatchObject({
      code: "E_MODEL_AUTH",
    });
  });

  it("refuses a model without tools and a conversation without a question", async () => {
    const documents = await toyCorpus();
    const plain = new FakeChatModel({});
    expect(() => createRitRagAgent({ model: plain, documents })).toThrow(
      expect.objectContaining({ code: "E_MODEL_TOOLS" }),
    );
    const agent = createRitRagAgent({ model: reader(), documents });
    await expect(agent.invoke({ messages: [new AIMessage("Hello!")] })).rejects.toMatchObject({
      code: "E_AGENT_QUESTION",
    });
  });
});
