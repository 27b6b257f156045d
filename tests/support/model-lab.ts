import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunRecord } from "../../core/record.ts";
import { type CliResult, cli, spawnCli } from "./cli.ts";
import {
  type LoopbackModels,
  type Script,
  startLoopbackModels,
  type WireCall,
} from "./loopback-models.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ModelLab {
  home: string;
  server: LoopbackModels;
  config: string;
  /** Generator and judge of the config, both served by the loopback server. */
  model: string;
  judgeModel: string;
  /** `ritbench run` over the lab's questions in this process. */
  run(...extra: string[]): Promise<CliResult>;
  /** The same as a child process. */
  spawnRun(...extra: string[]): ReturnType<typeof spawnCli>;
  /** Calls of answering and of judging that reached the server. */
  answerCalls(): WireCall[];
  judgeCalls(): WireCall[];
  records(): RunRecord[];
  file(...path: string[]): string;
}

export interface LabOptions {
  questions?: number;
  /** US dollars per million tokens of both models; null = nobody knows. */
  price?: { input: number; output: number } | null;
  judge?: string;
  /** More lines of the config, as YAML. */
  yaml?: string;
  contextTokens?: number;
}

/** The reply of a generator in the common format. */
export function finalText(answer: string): string {
  return `<reasoning>It says so.</reasoning><answer>${answer}</answer><sources>1</sources>`;
}

/** Which question a call is about: `q07` for the lab's questions. */
export function questionOf({ body }: WireCall): string {
  return /Where is beacon (q\d+)\?/.exec(JSON.stringify(body))?.[1] ?? "none";
}

export function isJudge({ body }: WireCall): boolean {
  return body?.model === "judge";
}

/** Every question answered right and judged right. */
export function goodReply(call: WireCall): Script {
  return isJudge(call) ? { text: "True" } : { text: finalText(`In bay ${questionOf(call)}.`) };
}

/** A home folder with a small data set of its own and an experiment whose models a loopback server plays. */
export async function modelLab(options: LabOptions = {}): Promise<ModelLab> {
  const { questions = 20, price = { input: 1, output: 10 }, yaml = "" } = options;
  const home = temporaryFolder();
  const server = await startLoopbackModels();
  onTestFinished(() => server.close());
  server.answer(goodReply);
  const model = `openai-compatible:gen@${server.openaiUrl}`;
  const judgeModel = `openai-compatible:judge@${server.openaiUrl}`;
  const ids = Array.from({ length: questions }, (_, i) => `q${String(i + 1).padStart(2, "0")}`);
  const beacons = join(home, "data", "beacons");
  mkdirSync(beacons, { recursive: true });
  writeFileSync(
    join(beacons, "beacons.md"),
    ["# Beacons", ...ids.map((id) => `## Beacon ${id}\n\nBeacon ${id} is in bay ${id}.`)].join(
      "\n\n",
    ),
  );
  writeFileSync(
    join(beacons, "questions.jsonl"),
    ids
      .map((id) => ({ id, question: `Where is beacon ${id}?`, answers: [`In bay ${id}.`] }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  const priced =
    price === null
      ? ""
      : `    price: {inputUsdPerMTok: ${price.input}, outputUsdPerMTok: ${price.output}, source: invented, date: 2026-01-01}\n`;
  writeFileSync(
    join(home, "models.yaml"),
    `schema: ritbench.models/1\nmodels:\n${["gen", "judge"]
      .map(
        (name) =>
          `  - id: openai-compatible:${name}\n    contextTokens: ${options.contextTokens ?? 100_000}\n    maxTokens: 100\n${priced}`,
      )
      .join("")}`,
  );
  const config = join(home, "lab.yaml");
  writeFileSync(
    config,
    `name: lab\ndatasets: [beacons]\nmethods: [vanilla]\nmodels: ["${model}"]\njudge: "${options.judge ?? "offline:lexical"}"\nembeddings: "offline:hashing"\n${yaml}`,
  );
  const argv = (extra: readonly string[]) => ["run", config, ...extra];
  return {
    home,
    server,
    config,
    model,
    judgeModel,
    run: (...extra) => cli(home, argv(extra)),
    spawnRun: (...extra) => spawnCli(home, argv(extra)),
    answerCalls: () => server.calls.filter((call) => call.api !== "other" && !isJudge(call)),
    judgeCalls: () => server.calls.filter(isJudge),
    records() {
      const path = join(home, "runs", "lab", "records.jsonl");
      if (!existsSync(path)) return [];
      const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as RunRecord);
    },
    file: (...path) => readFileSync(join(home, "runs", "lab", ...path), "utf8"),
  };
}
