import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, sampleRun } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Code, exit and what the message must name; a stack trace never shows. */
const cases: readonly [string, string[], string, string[]][] = [
  [
    "a config that is not there",
    ["run", "configs/nope.yaml"],
    "E_CONFIG_MISSING",
    ["configs/nope.yaml"],
  ],
  [
    "an unknown field",
    sampleRun("--set", "retrieval.kapa=3"),
    "E_CONFIG_FIELD",
    ["retrieval.kapa", "did you mean kappa?"],
  ],
  [
    "a setting that is no YAML",
    sampleRun("--set", "datasets=[wixqa"),
    "E_OPTION",
    ["datasets=[wixqa", "--set retrieval.bm25.k1=1.2"],
  ],
  [
    "a parameter the method lacks",
    sampleRun("--set", "parameters.rit-rag.kPrim=3"),
    "E_CONFIG_FIELD",
    ["parameters.rit-rag.kPrim", "kPrime"],
  ],
  [
    "an unknown method",
    sampleRun("--methods", "rit-rga"),
    "E_METHOD_UNKNOWN",
    ["did you mean rit-rag?"],
  ],
  [
    "an unknown data set",
    sampleRun("--set", "datasets=[wixqaa]"),
    "E_DATASET_UNKNOWN",
    ["did you mean wixqa?"],
  ],
  [
    "data that is not there",
    ["run", "configs/quickstart.yaml", "--data", "/nonexistent"],
    "E_DATA_MISSING",
    ["ritbench data fetch wixqa"],
  ],
  [
    "a missing key",
    sampleRun("--model", "anthropic:claude-haiku-4-5", "--set", "datasets=[wixqa]"),
    "E_KEY_MISSING",
    ["ANTHROPIC_API_KEY"],
  ],
  [
    "an unknown question",
    sampleRun("--questions", "nope", "--set", "datasets=[wixqa]"),
    "E_QUESTION_UNKNOWN",
    ["nope"],
  ],
  [
    "an unknown judge",
    sampleRun("--set", "scorers=[evidenc]", "--limit", "1", "--set", "datasets=[wixqa]"),
    "E_JUDGE_UNKNOWN",
    ["did you mean evidence?"],
  ],
  [
    "unknown embeddings",
    sampleRun("--embeddings", "ofline:hashing"),
    "E_EMBEDDINGS_UNKNOWN",
    ["offline"],
  ],
  ["a run that is not there", ["show", "nope", "q1"], "E_RUN_MISSING", ["ritbench runs"]],
  ["a path without a run", ["report", "./datasets"], "E_RUN_MISSING", ["datasets"]],
];

describe("bad input", () => {
  it.each(cases)("%s", async (_, argv, code, named) => {
    const result = await cli(temporaryFolder(), argv);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`${code}: `);
    for (const text of named) expect(result.stderr).toContain(text);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.stdout).toBe("");
  });

  it("names a near command", async () => {
    const { code, stderr } = await cli(temporaryFolder(), ["rnu"]);
    expect(code).toBe(1);
    expect(stderr).toContain("run");
  });

  it("runs nothing, and says so, on a folder without questions", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "data", "notes"), { recursive: true });
    writeFileSync(join(home, "data", "notes", "a.md"), "# Title\n\nSome text.\n");
    const argv = [
      "run",
      "configs/quickstart.yaml",
      "--data",
      join(home, "data"),
      "--set",
      "datasets=[notes]",
    ];
    const { code, stderr } = await cli(home, argv);
    expect(code).toBe(1);
    expect(stderr).toContain("E_RUN_NO_QUESTIONS");
  });

  it("names file and line of a broken questions file", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "data", "notes"), { recursive: true });
    writeFileSync(join(home, "data", "notes", "a.md"), "# Title\n\nSome text.\n");
    writeFileSync(join(home, "data", "notes", "questions.jsonl"), '{"id": "q1", "question": "x"\n');
    const argv = [
      "run",
      "configs/quickstart.yaml",
      "--data",
      join(home, "data"),
      "--set",
      "datasets=[notes]",
    ];
    const { code, stderr } = await cli(home, argv);
    expect(code).toBe(1);
    expect(stderr).toContain("questions.jsonl:1");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("every command has help with an example", async () => {
    const { stdout } = await cli(temporaryFolder(), ["--help"]);
    const names = [...stdout.matchAll(/^ {2}(\w+)(?= )/gm)]
      .map((match) => match[1]!)
      .filter((name) => name !== "help" && name !== "ritbench");
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const help = await cli(temporaryFolder(), [name, "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout).toContain(`ritbench ${name}`);
      expect(help.stdout).toMatch(/Examples?:/);
    }
  });
});
