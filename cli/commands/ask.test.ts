import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CliResult, cli, samplesFolder } from "../../tests/support/cli.ts";
import { startLoopbackModels } from "../../tests/support/loopback-models.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";

function myDocs(): string {
  const folder = join(temporaryFolder(), "my-docs");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "kettle.md"),
    "# Kettle\n\nA kettle for the household.\n\n## Care\n\n### Warranty\n\nThe warranty lasts 12 months.\n\n### Descaling\n\nUse vinegar.\n",
  );
  writeFileSync(join(folder, "toaster.md"), "# Toaster\n\n## Warranty\n\nIt lasts 36 months.\n");
  return folder;
}

const offline = ["--model", "offline:extractive", "--embeddings", "offline:hashing"];

function ask(docs: string, ...more: string[]): Promise<CliResult> {
  const argv = ["ask", "How long does the warranty of the kettle last?", "--docs", docs];
  return cli(temporaryFolder(), [...argv, ...more]);
}

describe("ritbench ask", () => {
  it("streams what was shown and read, then prints the answer and its sources", async () => {
    const docs = myDocs();
    const { code, stdout, stderr } = await ask(docs, ...offline);
    expect(code).toBe(0);
    expect(stdout).toMatch(/12 months[\s\S]*\nSources\n- .*Kettle > Care > Warranty \(kettle\.md_/);
    const lines = stderr.split("\n");
    const shown = lines.findIndex((line) => line.startsWith("shown"));
    expect(lines.slice(shown, shown + 5)).toEqual([
      expect.stringMatching(/^shown {2}\d+ nodes, \d+ selected \(\*\), \d+ tokens$/),
      "     * Kettle",
      "         Care",
      "     *     Warranty",
      "     *     Descaling",
    ]);
    expect(stderr).toMatch(/^read {3}Kettle > Care > Warranty \(kettle\.md_0002\), \d+ tokens$/m);
    expect(stderr).toMatch(/^model {2}offline:extractive, rit-rag.turn: [\d,]+ tokens in/m);
    expect(stderr).toMatch(/^total {2}\d+ model calls/m);
    expect(readdirSync(docs).sort()).toEqual(["kettle.md", "toaster.md"]);
  });

  it("gives one JSON document", async () => {
    const result = await ask(myDocs(), ...offline, "--method", "vanilla", "--json");
    expect(result.code).toBe(0);
    const { schema, rows, fingerprints } = result.json<{
      schema: string;
      rows: Record<string, unknown>[];
      fingerprints: Record<string, string>;
    }>();
    expect(schema).toBe("ritbench.ask/1");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      method: "vanilla",
      outcome: "answered",
      offline: true,
      reads: expect.arrayContaining([expect.objectContaining({ kind: "chunk" })]),
      usage: { costUsd: 0 },
    });
    expect(fingerprints).toMatchObject({ corpus: expect.any(String), method: expect.any(String) });
  });

  it("asks a model over the network and says what it took; the same question again is replayed", async () => {
    const server = await startLoopbackModels();
    onTestFinished(() => server.close());
    server.next(
      { toolCalls: [{ id: "a", name: "get_toc_structure", arguments: { query: "warranty" } }] },
      { toolCalls: [{ id: "b", name: "get_content", arguments: { ids: ["kettle.md_0002"] } }] },
      { text: "<answer>12 months.</answer><sources>kettle.md_0002</sources>" },
    );
    const [docs, home] = [myDocs(), temporaryFolder()];
    const argv = ["ask", "How long?", "--docs", docs, "--embeddings", "offline:hashing", "--model"];
    const model = `openai-compatible:tiny@${server.openaiUrl}`;
    const first = await cli(home, [...argv, model]);
    expect({ code: first.code, stdout: first.stdout }).toEqual({
      code: 0,
      stdout: "12 months.\n\nSources\n- Kettle > Care > Warranty (kettle.md_0002)\n",
    });
    expect(first.stderr).toMatch(/^total {2}3 model calls, .* s, cost unknown$/m);
    const again = await cli(home, [...argv, model, "--offline"]);
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toMatch(/^total .*replayed$/m);
    expect(server.calls).toHaveLength(3);
  });

  it("reads a data set in place of a folder", async () => {
    const { code, stderr } = await cli(temporaryFolder(), [
      "ask",
      "How large is the deposit?",
      "--data",
      samplesFolder,
      "--dataset",
      "own",
      ...offline,
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("Handbook of the Museum");
  });

  it("passes parameters on", async () => {
    const { stderr } = await ask(myDocs(), ...offline, "--set", "parameters.rit-rag.n=1");
    expect(stderr).toMatch(/^shown {2}\d+ nodes, 1 selected/m);
  });

  it.each([
    ["without documents", ["ask", "Why?", ...offline], "E_OPTION"],
    ["with an empty question", ["ask", " ", "--docs", ".", ...offline], "E_OPTION"],
    [
      "with a folder that is not there",
      ["ask", "?", "--docs", "nowhere", ...offline],
      "E_DATA_MISSING",
    ],
    [
      "with an unknown method",
      ["ask", "?", "--docs", ".", "--method", "rit-rga", ...offline],
      "E_METHOD_UNKNOWN",
    ],
    ["without a key", ["ask", "?", "--docs", ".", "--model", "openai:gpt-5-mini"], "E_KEY_MISSING"],
    ["without a model", ["ask", "?", "--docs", "."], "required option '--model"],
    [
      "with two sources",
      ["ask", "?", "--docs", ".", "--dataset", "own", ...offline],
      "cannot be used with",
    ],
  ])("ends with 1 %s", async (_, argv, said) => {
    const { code, stderr, stdout } = await cli(temporaryFolder(), argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(said);
  });

  it("ends with 3 when the model gives no answer", async () => {
    const server = await startLoopbackModels();
    onTestFinished(() => server.close());
    server.answer(() => ({ stop: "refusal", text: "I would rather not." }));
    const model = `openai-compatible:tiny@${server.openaiUrl}`;
    const { code, stderr } = await ask(
      myDocs(),
      "--model",
      model,
      "--embeddings",
      "offline:hashing",
    );
    expect(code).toBe(3);
    expect(stderr).toContain("outcome: refused");
  });
});
