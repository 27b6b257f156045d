import { performance } from "node:perf_hooks";
import { Option } from "commander";
import { describeSource, type SourceReference } from "../../core/corpus/source.ts";
import { RitbenchError } from "../../core/errors.ts";
import type { QuestionId } from "../../core/ids.ts";
import type { Method, MethodAnswer, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import type { TraceEvent } from "../../core/trace.ts";
import { sumUsage } from "../../core/usage.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { plainText } from "../../reports/table/plain-text.ts";
import { liveTraceLines, sourceText, spentText } from "../../reports/trace/live-trace.ts";
import type { RegisterCommand } from "../command.ts";
import { type Override, parseConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { type ExitCode, exitCode, type Io } from "../io.ts";
import { addDataOption, addJsonOption, amount, collect, fromCwd, overridesOf } from "../options.ts";
import { printJson } from "../output.ts";
import { type Builder, createBuilder } from "../wiring/builds.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";
import { createMethods } from "../wiring/methods.ts";
import { runModels } from "../wiring/plan.ts";
import { type OpenedDataset, openResources } from "../wiring/resources.ts";

interface AskOptions {
  docs?: string;
  data?: string;
  dataset?: string;
  method: string;
  model: string;
  embeddings?: string;
  set: string[];
  maxCostUsd?: number;
  offline?: boolean;
  json?: boolean;
}

/** Name under which a folder of documents appears. */
const DOCUMENTS = "own";

/** `ritbench ask "question" --docs <folder>`: one question, its trace as it happens, the answer and its sources. */
export const askCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("ask")
    .argument("<question>", "the question, in quotes")
    .description("Answer one question over a folder of documents, and show how.")
    .addOption(
      new Option("--docs <folder>", "folder of Markdown, HTML, text and PDF files").conflicts([
        "dataset",
        "data",
      ]),
    )
    .option("--dataset <name>", "a data set instead, from the data folder")
    .option("--method <name>", "how to answer", "rit-rag")
    .requiredOption("--model <id>", "e.g. openai:gpt-5-mini, or offline:extractive without a key")
    .option("--embeddings <id>", "embeddings, e.g. offline:hashing or local:<folder>")
    .option("--set <path=value>", "set any config value, e.g. parameters.rit-rag.n=25", collect, [])
    .option("--max-cost-usd <amount>", "stop before spending more (exit 4)", amount)
    .option("--offline", "let no request leave this machine")
    .addHelpText(
      "after",
      `
The trace goes to standard error, the answer and its sources to standard output. Guide: docs/ask.md

Example:
  ritbench ask "How long is the warranty?" --docs ./my-docs --model openai:gpt-5-mini
`,
    );
  addJsonOption(addDataOption(command)).action(async (question: string, options: AskOptions) => {
    done(await ask(io, question, options));
  });
};

async function ask(io: Io, text: string, options: AskOptions): Promise<ExitCode> {
  const question = text.trim();
  if (question === "") throw new RitbenchError("E_OPTION", "the question is empty");
  const config = configOf(options);
  createMethods(config);
  const offline = options.offline === true;
  const gateway = openGateway(io, {
    catalog: await openCatalog(io),
    limits: config.limits,
    offline,
  });
  try {
    const model = runModels(config, gateway)[0]!.forRepeat(0);
    if (!offline) requireKeys(gateway, config.models);
    const builder = createBuilder(io, { config, gateway, offline, force: false });
    const { datasets, offlineEmbeddings, close } = await openResources(io, {
      config,
      data: options.data,
      ...(options.docs === undefined ? {} : { documents: fromCwd(io, options.docs) }),
      offline,
      builder,
    });
    try {
      const dataset = datasets[0]!;
      const method = await prepared(config, dataset, builder);
      if (offlineEmbeddings) io.err("note   the embeddings have no semantic model\n");
      const asked = await answered(io, question, method, dataset.shared, model);
      if (options.json === true)
        printAnswerJson(io, { question, config, dataset, method, model, ...asked });
      else printAnswer(io, asked);
      return exitOf(asked.answer);
    } finally {
      await close();
    }
  } finally {
    await gateway.close();
  }
}

/** An experiment of one question, so that `--set` reaches everything that a config can say. */
function configOf(options: AskOptions): Config {
  const { docs, dataset, method, model, embeddings, maxCostUsd } = options;
  if (docs === undefined && dataset === undefined) {
    throw new RitbenchError("E_OPTION", "there is nothing to look the answer up in", {
      expected: "--docs <folder>, or --dataset <name> of the data folder",
      next: 'ritbench ask "..." --docs ./my-docs --model openai:gpt-5-mini',
    });
  }
  const overrides: Override[] = overridesOf({
    set: options.set,
    ...(embeddings === undefined ? {} : { embeddings }),
  });
  const ask = {
    name: "ask",
    datasets: [dataset ?? DOCUMENTS],
    methods: [method],
    models: [model],
    limits: maxCostUsd === undefined ? {} : { maxCostUsd },
  };
  return parseConfig(ask, "the command line", overrides);
}

/** The method with its artefacts built. */
async function prepared(
  config: Config,
  { name, shared }: OpenedDataset,
  builder: Builder,
): Promise<Method> {
  const method = createMethods(config)[0]!;
  const fit = method.fits?.(shared.corpus);
  if (fit?.fits === false) {
    throw new RitbenchError("E_METHOD_UNFIT", `${method.title} does not fit these documents`, {
      got: fit.reason,
      next: "ask with --method rit-rag",
    });
  }
  await method.build?.(builder.context(method, name, shared));
  return method;
}

interface Asked {
  answer: MethodAnswer;
  sources: readonly SourceReference[];
  events: readonly TraceEvent[];
}

/** Answers the question; every event is written as it happens. */
async function answered(
  io: Io,
  text: string,
  method: Method,
  shared: SharedResources,
  model: ChatModel,
): Promise<Asked> {
  const tracer = createTracer(() => performance.now());
  const answer = await method.answer(
    { id: "ask" as QuestionId, text },
    {
      ...shared,
      model,
      signal: io.signal,
      tracer: {
        emit(event) {
          tracer.emit(event);
          const lines = liveTraceLines(tracer.events.at(-1)!, shared);
          if (lines.length > 0) io.err(`${lines.join("\n")}\n`);
        },
      },
    },
  );
  const sources = answer.sources.map((id) => describeSource(shared, id));
  return { answer, sources, events: tracer.events };
}

function usageOf(events: readonly TraceEvent[]) {
  return sumUsage(events.flatMap((event) => (event.type === "model_call" ? [event.usage] : [])));
}

function printAnswer(io: Io, { answer, sources, events }: Asked): void {
  const calls = events.filter(({ type }) => type === "model_call").length;
  io.err(`total  ${calls} model calls, ${spentText(usageOf(events))}\n`);
  if (answer.outcome !== "answered") io.err(`note   outcome: ${answer.outcome}\n`);
  const paragraphs = answer.answer.split("\n").map(plainText);
  io.out(`${paragraphs.join("\n").trim()}\n`);
  if (sources.length > 0) {
    io.out(`\nSources\n${sources.map((source) => `- ${sourceText(source)}\n`).join("")}`);
  }
}

interface AskedOf extends Asked {
  question: string;
  config: Config;
  dataset: OpenedDataset;
  method: Method;
  model: ChatModel;
}

function printAnswerJson(io: Io, asked: AskedOf): void {
  const { question, config, dataset, method, model, answer, sources, events } = asked;
  printJson(io, "ask", {
    rows: [
      {
        question,
        method: method.name,
        model: model.id,
        offline: model.offline,
        embeddings: config.embeddings,
        outcome: answer.outcome,
        answer: answer.answer,
        reasoning: answer.reasoning,
        flags: answer.flags ?? [],
        sources,
        reads: events.flatMap((event) => (event.type === "read" ? event.items : [])),
        usage: usageOf(events),
        trace: events,
      },
    ],
    fingerprints: {
      ...dataset.index.fingerprints,
      method: method.fingerprint,
      model: model.fingerprint,
    },
  });
}

/** A forced or cut answer is an answer; without one, or with a refusal in its place, there is none. */
function exitOf({ outcome, answer }: MethodAnswer): ExitCode {
  return outcome === "refused" || answer === "" ? exitCode.tooManyErrors : exitCode.ok;
}
