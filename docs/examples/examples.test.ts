import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type Documents, openDocuments } from "../../index.ts";
import { type LoopbackModels, startLoopbackModels } from "../../tests/support/loopback-models.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { askMyDocs } from "./agent.ts";
import { passageChain } from "./retriever.ts";
import { converse } from "./tools.ts";

// In a checkout the package stands for its own source, as `npm run build` has perhaps not run.
vi.mock("ritbench", () => import("../../index.ts"));

let server: LoopbackModels;
let documents: Documents;
let model: ChatOpenAI;

beforeEach(async () => {
  server = await startLoopbackModels();
  onTestFinished(() => server.close());
  model = new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: server.openaiUrl },
  });
  const folder = join(temporaryFolder(), "my-docs");
  mkdirSync(folder);
  writeFileSync(join(folder, "kettle.md"), "# Kettle\n\n## Warranty\n\nIt lasts 12 months.\n");
  documents = await openDocuments(folder, {
    home: temporaryFolder(),
    embeddings: "offline:hashing",
  });
  onTestFinished(() => documents.close());
});

const calls = [
  { toolCalls: [{ id: "a", name: "get_toc_structure", arguments: { query: "warranty" } }] },
  { toolCalls: [{ id: "b", name: "get_content", arguments: { ids: ["kettle.md_0001"] } }] },
];

it("agent.ts prints every step and the answer with its source", async () => {
  server.next(...calls, { text: "<answer>12 months.</answer><sources>kettle.md_0001</sources>" });
  const lines: string[] = [];
  await askMyDocs(model, documents, "How long is the warranty?", (line) => lines.push(line));
  expect(lines).toEqual([
    "model_call",
    "retrieved",
    "tool_call",
    'shown: 2 titles for "warranty"',
    "model_call",
    "tool_call",
    "read: kettle.md_0001",
    "model_call",
    "answered: 12 months.",
    "source: Kettle > Warranty (kettle.md)",
  ]);
});

it("tools.ts lets a graph of one's own read what it was shown", async () => {
  server.next(...calls, { text: "Twelve months." });
  const messages = await converse(model, documents, [new HumanMessage("How long?")]);
  expect(messages.map((message) => message.getType())).toEqual([
    "human",
    "ai",
    "tool",
    "ai",
    "tool",
    "ai",
  ]);
  expect(messages[4]?.text).toContain("It lasts 12 months.");
  expect(messages[5]?.text).toBe("Twelve months.");
});

it("retriever.ts puts the passages into a prompt", async () => {
  server.next({ text: "12 months." });
  expect(await passageChain(model, documents).invoke("How long is the warranty?")).toBe(
    "12 months.",
  );
  expect(server.calls[0]!.body.messages[0].content).toContain(
    "[Kettle > Warranty]\nIt lasts 12 months.",
  );
});
