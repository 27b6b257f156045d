import { createLexicalJudge } from "../../judges/lexical/lexical.ts";
import { createTokenRecallJudge } from "../../judges/text/answer-overlap.ts";
import { judgeRun } from "../../pipelines/judging/judge-run.ts";
import { executeRun } from "../../pipelines/run/execute.ts";
import type { RunModel } from "../../pipelines/run/plan.ts";
import {
  bareResources,
  openToyStore,
  question,
  toyMethod,
  toyModel,
  toyPlan,
} from "./run-fixture.ts";

export interface StoredRunOptions {
  /** Folder that holds runs: `<home>/runs`. */
  runsFolder: string;
  name: string;
  count: number;
  /** `right`, `wrong` or `error` for the question of a number from 1. */
  outcome(number: number): "right" | "wrong" | "error";
  dataset?: string;
  method?: string;
  model?: RunModel;
  judged?: boolean;
  judge?: ReturnType<typeof createLexicalJudge>;
  concurrency?: number;
  config?: { readonly [key: string]: unknown };
  corpus?: string;
}

/** Writes a run over invented questions to disk and judges it by rule; the answer to `q3` is `$37.00`. */
export async function storedRun(
  options: StoredRunOptions,
): Promise<{ id: string; folder: string }> {
  const { runsFolder, name, count, outcome, dataset = "toy", method = "m" } = options;
  const questions = Array.from({ length: count }, (_, index) =>
    question(`q${index + 1}`, { dataset, goldAnswers: [`$${index + 1}7.00`] }),
  );
  const answering = (id: string): string => {
    const number = Number(id.slice(1));
    const wanted = outcome(number);
    if (wanted === "error") throw new Error("the method broke");
    return wanted === "right" ? `It is $${number}7.00` : "no idea";
  };
  const plan = toyPlan({
    name,
    config: { name, ...options.config } as never,
    datasets: [
      {
        name: dataset,
        shared: bareResources(options.corpus),
        questions,
        methods: [toyMethod(answering, method)],
      },
    ],
    models: [options.model ?? toyModel()],
  });
  const store = await openToyStore(runsFolder, plan);
  const signal = new AbortController().signal;
  const concurrency = options.concurrency ?? 1;
  await executeRun({ plan, store, concurrency, signal, now: () => 0 });
  store.close();
  if (options.judged !== false) {
    const seats = [options.judge ?? createLexicalJudge(), createTokenRecallJudge()];
    await judgeRun({
      folder: store.folder,
      seats: seats.map((judge) => ({ judge })),
      corpora: {},
      concurrency,
      signal,
    });
  }
  return { id: store.id, folder: store.folder };
}
