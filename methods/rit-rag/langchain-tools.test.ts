import type { StructuredToolInterface } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../../core/trace.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { scriptedModel } from "../../tests/support/scripted-model.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { createRitRag, createRitRagTools } from "./index.ts";

/** A tool call as an agent makes it: content and artifact of the tool message. */
async function call(
  tools: readonly StructuredToolInterface[],
  name: string,
  args: Record<string, unknown>,
): Promise<{ content: string; artifact: Record<string, unknown> }> {
  const tool = tools.find((candidate) => candidate.name === name)!;
  return tool.invoke({ name, args, id: "call", type: "tool_call" });
}

describe("createRitRagTools", () => {
  it("gives the same JSON as the harness", async () => {
    const documents = await toyCorpus();
    const calls = [
      { name: "get_toc_structure", arguments: { query: "warranty of the kettle" } },
      { name: "get_content", arguments: { ids: ["kettle-1_0004", "kettle-1_0000", "nothing"] } },
    ];
    const tracer = createTracer(() => 0);
    await createRitRag({ n: 3 }).answer(
      { id: "q" as never, text: "How long?" },
      {
        ...documents,
        model: scriptedModel([
          ...calls.map((toolCall) => ({ toolCalls: [toolCall] })),
          { content: "<answer>Twelve months.</answer>" },
        ]),
        tracer,
        signal: new AbortController().signal,
      },
    );
    const results = tracer.events.flatMap((event: TraceEvent) =>
      event.type === "tool_call" ? [event.result] : [],
    );
    const tools = createRitRagTools({ ...documents, parameters: { n: 3 } });
    const replies = [];
    for (const { name, arguments: args } of calls) {
      replies.push((await call(tools, name, args)).content);
    }
    expect(replies).toEqual(results);
  });

  it("carries what was shown and read beside the text", async () => {
    const tools = createRitRagTools(await toyCorpus());
    const toc = await call(tools, "get_toc_structure", { query: "warranty" });
    expect(toc.artifact).toMatchObject({
      shown: { query: "warranty", selected: expect.arrayContaining(["kettle-1_0004"]) },
    });
    const content = await call(tools, "get_content", { ids: ["kettle-1_0004"] });
    expect(content.artifact).toMatchObject({ reads: [{ id: "kettle-1_0004", kind: "node" }] });
  });

  it("remembers per pair what has been shown", async () => {
    const documents = await toyCorpus();
    const [first, second] = [createRitRagTools(documents), createRitRagTools(documents)];
    await call(first, "get_toc_structure", { query: "warranty" });
    const ids = ["kettle-1_0004"];
    const read = await call(first, "get_content", { ids });
    expect(JSON.parse(read.content)[0]).toHaveProperty("content");
    const refused = await call(second, "get_content", { ids });
    expect(JSON.parse(refused.content)[0]).toMatchObject({ error: "not_shown" });
  });
});
