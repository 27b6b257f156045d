import type { PageRangeTree } from "../../core/forest/page-ranges.ts";
import type { ModelRequest } from "../../core/model.ts";
import { induceStructure } from "../../pipelines/builds/structure/induce.ts";
import {
  defaultStructureSettings,
  type StructureSettings,
} from "../../pipelines/builds/structure/inducer.ts";
import { type ScriptedReply, scriptedModel } from "./scripted-model.ts";

/** Replies by task: one for all its calls, a list in order, or a rule. */
export interface Script {
  [task: string]: unknown | readonly unknown[] | ((request: ModelRequest) => unknown);
}

/** An instruction for one reply instead of the JSON itself. */
export const raw = (content: string, stopReason: ScriptedReply["stopReason"] = "stop") => ({
  raw: { content, stopReason } as ScriptedReply,
});
export const fails = (error: Error) => ({ raw: { error } as ScriptedReply });
/** Different replies to the calls of one task, the last one for the rest. */
export const inTurn = (...replies: readonly unknown[]) => ({ inTurn: replies });

export function modelOf(script: Script) {
  const calls = new Map<string, number>();
  return scriptedModel((request) => {
    const task = request.task.replace("structure.", "");
    const call = calls.get(task) ?? 0;
    calls.set(task, call + 1);
    let reply = script[task];
    if (reply === undefined) throw new Error(`unexpected ${task} call`);
    if (typeof reply === "function") reply = reply(request);
    const turns = (reply as { inTurn?: unknown[] }).inTurn;
    if (turns !== undefined) reply = turns[Math.min(call, turns.length - 1)];
    const own = (reply as { raw?: ScriptedReply }).raw;
    return own ?? { content: JSON.stringify(reply) };
  });
}

export async function induce(
  pages: readonly string[],
  script: Script,
  settings: Partial<StructureSettings> = {},
) {
  const model = modelOf(script);
  const structure = await induceStructure(pages, model, {
    ...defaultStructureSettings,
    ...settings,
  });
  const tasks = model.requests.map(({ task }) => task.replace("structure.", ""));
  return { structure, tasks, model };
}

export const yes = { answer: "yes" };
export const no = { answer: "no" };
export const entry = (structure: string | null, title: string, physical_index: unknown) => ({
  structure,
  title,
  physical_index,
});
export const tocEntry = (structure: string, title: string, page: unknown) => ({
  structure,
  title,
  page,
});
export const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `Text of page ${i + 1}.`);
/** Title-start-end of a tree, pages from 1 as in PageIndex. */
export const shape = (trees: readonly PageRangeTree[]): unknown[] =>
  trees.map(({ title, start, end, children = [] }) => [
    `${title} ${start! + 1}-${end! + 1}`,
    ...shape(children),
  ]);

/** The title that a prompt asks about. */
export const asksFor = (title: string) => (request: ModelRequest) =>
  request.messages[0]!.content.includes(`"${title}"`);

/** Mode C over a document without a table of contents. */
export const plain = { "toc-detect": no, "title-on-page": yes, "title-first": yes };
