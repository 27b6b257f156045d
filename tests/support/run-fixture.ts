import type { Corpus } from "../../core/corpus/corpus.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import type { DocumentId, NodeId, QuestionId } from "../../core/ids.ts";
import type { Method, MethodAnswer, MethodContext, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Question } from "../../core/question.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import {
  type PlanOptions,
  planRun,
  type RunModel,
  type RunPlan,
} from "../../pipelines/run/plan.ts";
import { openRunStore, type RunStore } from "../../pipelines/run/store.ts";

/** Shared resources of which only the names and fingerprints matter: for tests of the run itself. */
export function bareResources(hash = "corpus-1"): SharedResources {
  const corpus = { summary: { hash, singleTree: false } } as unknown as Corpus;
  return {
    corpus,
    chunks: { fingerprint: fingerprint("chunks") } as SharedResources["chunks"],
    retriever: { fingerprint: fingerprint("retriever") } as SharedResources["retriever"],
    embedder: { id: "none" } as SharedResources["embedder"],
    metadata: { kind: "titles", get: () => undefined },
  };
}

export function question(id: string, more: Partial<Question> = {}): Question {
  return {
    id: id as QuestionId,
    dataset: "toy",
    text: `What is ${id}?`,
    goldAnswers: [`gold ${id}`],
    evidence: [],
    answerable: true,
    meta: {},
    ...more,
  };
}

export function questions(count: number): Question[] {
  return Array.from({ length: count }, (_, index) => question(`q${index + 1}`));
}

export const oneCall: Usage = {
  ...noUsage,
  uncachedInputTokens: 1000,
  outputTokens: 100,
  attempts: 1,
  llmMs: 5,
  costUsd: 0.01,
  cachedCostUsd: 0.01,
};

export type Answering = (id: string, context: MethodContext) => Promise<string> | string;

/** A method that reads one node, makes one model call of {@link oneCall}, and answers with the given function. */
export function toyMethod(
  answering: Answering = (id) => `gold ${id}`,
  name = "toy-method",
): Method {
  return {
    name,
    title: name,
    fingerprint: fingerprint(name),
    scoredReads: true,
    async answer({ id }, context): Promise<MethodAnswer> {
      const read = {
        kind: "node" as const,
        id: "d_0001",
        documentId: "d" as DocumentId,
        spans: [{ nodeId: "d_0001" as NodeId, start: 0, end: 10 }],
        tokens: 3,
      };
      context.tracer.emit({
        type: "shown",
        query: id,
        nodes: ["d_0001" as NodeId],
        selected: [],
        tokens: 4,
      });
      context.tracer.emit({ type: "read", items: [read, read] });
      const call = { id: "c1", name: "get_content", arguments: {}, result: "text", durationMs: 1 };
      context.tracer.emit({ type: "tool_call", ...call });
      const answer = await answering(id, context);
      context.tracer.emit({
        type: "model_call",
        task: "toy.answer",
        role: "answer",
        model: context.model.id,
        messages: [{ role: "user", content: id }],
        carriedMessages: 0,
        reply: answer,
        stopReason: "stop",
        usage: oneCall,
      });
      return { outcome: "answered", answer, reasoning: "", sources: ["d_0001"] };
    },
  };
}

export function toyModel(id = "toy:model", offline = false): RunModel {
  const own = fingerprint(id);
  const model: ChatModel = {
    id,
    fingerprint: own,
    contextTokens: 1000,
    offline,
    call: () => Promise.reject(new Error("the toy model is never called")),
  };
  return { id, offline, fingerprint: own, forRepeat: () => model };
}

export interface ToyRun extends Partial<PlanOptions> {
  method?: Method;
  count?: number;
}

export function toyPlan({ method, count, ...options }: ToyRun = {}): RunPlan {
  return planRun(
    {
      name: "toy run",
      config: { name: "toy run" },
      identityConfig: { kPrime: 200 },
      programVersion: "0.1.0",
      datasets: [
        {
          name: "toy",
          shared: bareResources(),
          questions: questions(count ?? 4),
          methods: [method ?? toyMethod()],
        },
      ],
      models: [toyModel()],
      ...options,
    },
    new Date("2026-01-01T00:00:00Z"),
  );
}

export function openToyStore(runsFolder: string, plan: RunPlan, fresh = false): Promise<RunStore> {
  return openRunStore({ runsFolder, manifest: plan.manifest, questions: plan.questions, fresh });
}
