import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import type { ProviderRequest } from "./provider.ts";
import { scriptedProvider } from "./scripted.ts";

const signal = new AbortController().signal;
const request = (content: string, task = "t"): ProviderRequest => ({
  task,
  role: "answer",
  repeat: 0,
  messages: [{ role: "user", content }],
});

function script(content: string, name = "script.yaml") {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return scriptedProvider(path);
}

describe("scripted model", () => {
  it("gives replies in order and then says what it misses", async () => {
    const model = script("- text: one\n- text: two\n");
    expect((await model.send(request("a"), { signal })).message.content).toBe("one");
    expect((await model.send(request("b"), { signal })).message.content).toBe("two");
    await expect(
      model.send(request("What next?", "rit-rag.turn"), { signal }),
    ).rejects.toMatchObject({
      kind: "missing_reply",
      message: expect.stringContaining("rit-rag.turn"),
      details: { got: expect.stringContaining("What next?") },
    });
  });

  it("matches by task and by text, as often as it is told", async () => {
    const model = script(`
- { task: judge.binary, text: "True", times: always }
- { contains: net sales, text: seventeen, times: 2 }
- { text: fallback, times: always }
`);
    const say = async (...args: Parameters<typeof request>) =>
      (await model.send(request(...args), { signal })).message.content;
    expect(await say("What were net sales?")).toBe("seventeen");
    expect(await say("Is it right?", "judge.binary")).toBe("True");
    expect(await say("net sales again")).toBe("seventeen");
    expect(await say("net sales a third time")).toBe("fallback");
    expect(await say("Is it right?", "judge.binary")).toBe("True");
  });

  it("calls tools, with broken arguments too, under ids of their own", async () => {
    const model = script(
      [
        { toolCalls: [{ name: "search", arguments: { q: "x" } }, { name: "read" }] },
        { toolCalls: [{ name: "search", arguments: '{"q": ' }] },
        { text: "cut", stop: "length" },
      ]
        .map((entry) => JSON.stringify(entry))
        .join("\n"),
      "script.jsonl",
    );
    const first = await model.send(request("a"), { signal });
    expect(first).toMatchObject({
      stopReason: "tool_calls",
      message: {
        toolCalls: [
          { id: "call_0", name: "search", arguments: { q: "x" } },
          { id: "call_1", name: "read", arguments: {} },
        ],
      },
    });
    const second = await model.send(request("a"), { signal });
    expect(second.message.toolCalls).toEqual([
      { id: "call_2", name: "search", arguments: {}, invalid: '{"q": ' },
    ]);
    expect((await model.send(request("a"), { signal })).stopReason).toBe("length");
  });

  it("counts tokens and is a stand-in whose version follows the file", async () => {
    const model = script("- text: hello world\n");
    expect(model).toMatchObject({ offline: true });
    expect(model.version).not.toBe(script("- text: hello\n").version);
    const { usage } = await model.send(request("one two three"), { signal });
    expect(usage).toMatchObject({ uncachedInputTokens: 3, outputTokens: 2 });
  });

  it.each([
    ["text: not a list"],
    ["- { txt: typo }"],
    ["- { text: a, times: 0 }"],
    ["- [unclosed"],
  ])("refuses %j", (content) => {
    expect(() => script(content)).toThrow(expect.objectContaining({ code: "E_SCRIPT" }));
  });

  it("refuses a file that is not there", () => {
    expect(() => scriptedProvider("/nowhere/script.yaml")).toThrow(
      expect.objectContaining({ code: "E_SCRIPT" }),
    );
  });
});
