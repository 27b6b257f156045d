import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { z } from "zod";
import type { DocumentId, NodeId } from "../core/ids.ts";
import { type ModelCatalog, makeCatalog, parseModelsFile } from "../models/catalog.ts";
import { createGateway, type Gateway } from "../models/gateway.ts";
import { networkProvider } from "../models/network/network.ts";
import { systemTime } from "../models/time.ts";
import { type AgentSpec, defineTool, runAgent } from "../pipelines/agent-loop/index.ts";
import { createTracer } from "../pipelines/tracing/tracer.ts";
import { count, readArguments } from "./arguments.ts";

const HELP = `npm run bench -- gateway [--calls 400] [--concurrency 16] [--prompt-kb 18] [--json]

  --calls        model calls of each row (400)
  --concurrency  calls at once (16)
  --prompt-kb    size of each prompt in kB (18)
  --json         one JSON document on stdout instead of a table

CPU time of this process for each model call, against a server in another process that answers at once. Rows, each
with all that the one before it has:
  fetch    the HTTP request alone, JSON written and read
  client   + the LangChain class of the vendor
  gateway  + cache key, single flight, queue, retry layer, prices, ledger
  cached   + the response stored in lmdb
  agent    + the LangGraph loop: tool call, result, answer; two model calls a question
  replay   the stored responses read back, no request
`;

export interface GatewayBenchRow {
  vendor: string;
  row: "fetch" | "client" | "gateway" | "cached" | "agent" | "replay";
  calls: number;
  cpuMsPerCall: number;
  wallMsPerCall: number;
}

export interface GatewayBenchResult {
  schema: "ritbench.bench-gateway/1";
  concurrency: number;
  promptBytes: number;
  rows: readonly GatewayBenchRow[];
}

interface Options {
  calls: number;
  concurrency: number;
  promptBytes: number;
  json: boolean;
}

const models = {
  anthropic: "anthropic:claude-bench",
  openai: "openai:gpt-bench",
  google: "google:gemini-bench",
};
/** Shared by all questions, as in the methods: its JSON Schema is made once. */
const readArgumentsSchema = z.object({ ids: z.array(z.string()) });
const keys = { anthropic: "none", openai: "none", google: "none" };

/** Measures our own CPU time for each model call and shows where it goes. */
export async function run(argv: readonly string[]): Promise<void> {
  const options = parse(argv);
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "ritbench-bench-"));
  const server = fork(join(import.meta.dirname, "gateway-server.ts"), {
    execArgv: ["--import", "tsx"],
  });
  try {
    const [url] = (await once(server, "message")) as [string];
    const rows: GatewayBenchRow[] = [];
    for (const vendor of Object.keys(models) as (keyof typeof models)[]) {
      process.stderr.write(`${vendor}\n`);
      rows.push(...(await measureVendor(vendor, url, join(folder, vendor), options)));
    }
    report(
      {
        schema: "ritbench.bench-gateway/1",
        concurrency: options.concurrency,
        promptBytes: options.promptBytes,
        rows,
      },
      options,
    );
  } finally {
    stop(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

function stop(server: ChildProcess): void {
  if (server.connected) server.disconnect();
}

async function measureVendor(
  vendor: keyof typeof models,
  url: string,
  cacheFolder: string,
  options: Options,
): Promise<GatewayBenchRow[]> {
  const catalog = catalogAt(url);
  const plain = createGateway({ catalog, keys });
  const storing = createGateway({ catalog, keys, cacheFolder });
  const provider = networkProvider(catalog.resolve(models[vendor]), {
    keys,
    timeoutMs: 60_000,
    offline: false,
    time: systemTime,
  });
  const body = fetchBody(vendor);
  const direct = { role: "answer", repeat: 0, task: "bench", maxTokens: 500 } as const;
  const rows: GatewayBenchRow[] = [];
  const measure = async (
    row: GatewayBenchRow["row"],
    callsEach: number,
    work: (i: number) => Promise<unknown>,
  ) => {
    rows.push({ vendor, row, ...(await timed(options, callsEach, work)) });
  };
  await measure("fetch", 1, async (i) => {
    const init = { method: "POST", body: JSON.stringify(body(prompt(options, i))) };
    await (await fetch(url + fetchPath[vendor], init)).json();
  });
  await measure("client", 1, (i) =>
    provider.send(
      { ...direct, messages: prompt(options, i) },
      { signal: new AbortController().signal },
    ),
  );
  await measure("gateway", 1, (i) => ask(plain, vendor, prompt(options, i)));
  await measure("cached", 1, (i) => ask(storing, vendor, prompt(options, i)));
  await measure("agent", 2, (i) => agent(storing, vendor, options, i));
  const before = storing.cacheReport().hits;
  await measure("replay", 1, (i) => ask(storing, vendor, prompt(options, i)));
  if (storing.cacheReport().hits === before) throw new Error("the replay asked the server");
  await plain.close();
  await storing.close();
  return rows;
}

/** CPU and wall time of the work, after a warm-up of a tenth that is not counted. */
async function timed(
  { calls, concurrency }: Options,
  callsEach: number,
  work: (i: number) => Promise<unknown>,
): Promise<Pick<GatewayBenchRow, "calls" | "cpuMsPerCall" | "wallMsPerCall">> {
  const rounds = Math.ceil(calls / callsEach);
  const all = (from: number, count: number) => {
    const limit = pLimit(concurrency);
    return Promise.all(Array.from({ length: count }, (_, i) => limit(() => work(from + i))));
  };
  await all(rounds, Math.ceil(rounds / 10));
  const cpu = process.cpuUsage();
  const start = performance.now();
  await all(0, rounds);
  const { user, system } = process.cpuUsage(cpu);
  const made = rounds * callsEach;
  return {
    calls: made,
    cpuMsPerCall: (user + system) / 1000 / made,
    wallMsPerCall: (performance.now() - start) / made,
  };
}

function ask(gateway: Gateway, vendor: keyof typeof models, messages: ReturnType<typeof prompt>) {
  return gateway
    .model({ id: models[vendor], role: "answer", repeat: 0 })
    .call({ task: "bench", messages });
}

function agent(gateway: Gateway, vendor: keyof typeof models, options: Options, i: number) {
  const [system, user] = prompt(options, i);
  const read = defineTool({
    name: "read",
    description: "Reads nodes by their ids.",
    schema: readArgumentsSchema,
    run: () => ({
      content: "bench-result",
      reads: [
        {
          kind: "node",
          id: "n1",
          documentId: "d" as DocumentId,
          spans: [{ nodeId: "n1" as NodeId, start: 0, end: 1 }],
          tokens: 1,
        },
      ],
    }),
  });
  const spec: AgentSpec = {
    task: "bench.turn",
    system: system.content,
    question: user.content,
    tools: [read],
    limits: { calls: 10 },
  };
  const model = gateway.model({ id: models[vendor], role: "answer", repeat: 0 });
  const tracer = createTracer(() => performance.now());
  return runAgent(spec, { model, tracer, signal: new AbortController().signal });
}

/** A prompt of the wanted size that no other call shares. */
function prompt({ promptBytes }: Options, i: number) {
  const line = `Section ${i}: net sales rose while the cost of goods sold fell. `;
  const text = line.repeat(Math.ceil(promptBytes / line.length)).slice(0, promptBytes);
  return [
    { role: "system", content: text },
    { role: "user", content: `What were net sales in year ${i}?` },
  ] as const;
}

const fetchPath = {
  anthropic: "/v1/messages",
  openai: "/v1/chat/completions",
  google: "/v1beta/models/gemini-bench:generateContent",
};

function fetchBody(vendor: keyof typeof models): (messages: ReturnType<typeof prompt>) => unknown {
  return ([system, user]) =>
    vendor === "google"
      ? {
          systemInstruction: { parts: [{ text: system.content }] },
          contents: [{ role: "user", parts: [{ text: user.content }] }],
        }
      : { model: "bench", max_tokens: 500, messages: [system, user] };
}

function catalogAt(url: string): ModelCatalog {
  const price = { inputUsdPerMTok: 1, outputUsdPerMTok: 5, source: "none", date: "2026-01-01" };
  return makeCatalog([
    parseModelsFile(
      {
        schema: "ritbench.models/1",
        providers: {
          anthropic: { baseUrl: url, maxTokens: 500 },
          openai: { baseUrl: `${url}/v1` },
          google: { baseUrl: url },
        },
        models: Object.values(models).map((id) => ({ id, contextTokens: 200_000, price })),
      },
      "bench",
    ),
  ]);
}

function report(result: GatewayBenchResult, { json }: Options): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write("vendor     row      CPU ms/call  wall ms/call\n");
  for (const { vendor, row, cpuMsPerCall, wallMsPerCall } of result.rows) {
    const numbers = `${cpuMsPerCall.toFixed(2).padStart(11)}${wallMsPerCall.toFixed(2).padStart(14)}`;
    process.stdout.write(`${vendor.padEnd(11)}${row.padEnd(9)}${numbers}\n`);
  }
}

const FLAGS = {
  calls: { type: "string", default: "400" },
  concurrency: { type: "string", default: "16" },
  "prompt-kb": { type: "string", default: "18" },
} as const;

function parse(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv, FLAGS);
  if (values.help) return undefined;
  return {
    calls: count(values.calls, "--calls"),
    concurrency: count(values.concurrency, "--concurrency"),
    promptBytes: count(values["prompt-kb"], "--prompt-kb") * 1000,
    json: values.json,
  };
}
