import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { AskedQuestion, Method, MethodAnswer, MethodContext } from "../../core/method.ts";
import { overflowAnswer } from "../answer-format/answer-once.ts";
import { ANSWER_FORMAT_VERSION, finalFormatPrompt } from "../answer-format/index.ts";
import type { Graph } from "../graph-store/graph.ts";
import { createGraphShelf } from "./index.ts";
import type { GraphRecipe } from "./recipe.ts";

/** What a graph method answers one question with. */
export interface GraphQuestion extends MethodContext {
  graph: Graph;
  /** Marks of this question's answer. */
  flags: Set<string>;
}

export interface GraphMethodParts<R> {
  recipe: GraphRecipe<R>;
  title: string;
  /** Raised when questions are answered in another way. */
  version: number;
  parameters: unknown;
  /** Of the prompts that questions are answered with. */
  promptHashes: readonly Fingerprint[];
  answer(question: AskedQuestion, context: GraphQuestion): Promise<MethodAnswer>;
}

/**
 * A method over a graph of its own. It does not fit a portal that is one tree, as in the paper: its build would be
 * dearer than all others together. What it lays before the model is `shown`, not read, and not scored.
 */
export function createGraphMethod<R>(parts: GraphMethodParts<R>): Method {
  const { recipe, title, version, parameters, promptHashes, answer } = parts;
  const shelf = createGraphShelf(recipe);
  return {
    name: recipe.kind,
    title,
    fingerprint: fingerprint({
      method: recipe.kind,
      version: [version, recipe.version],
      parameters,
      prompts: [...promptHashes, ...recipe.prompts.map(({ hash }) => hash), finalFormatPrompt.hash],
      answerFormat: ANSWER_FORMAT_VERSION,
    }),
    scoredReads: false,
    fits: ({ summary }) =>
      summary.singleTree
        ? { fits: false, reason: "a portal of one tree is too large to extract a graph from" }
        : { fits: true },
    buildFingerprint: shelf.fingerprint,
    build: shelf.build,
    async answer(question, context) {
      context.signal.throwIfAborted();
      const graph = shelf.graphOf(context);
      const flags = new Set(graph.mark === undefined ? [] : ["unsoundBuild"]);
      try {
        return await answer(question, { ...context, graph, flags });
      } catch (error) {
        return overflowAnswer(error, context.tracer, [...flags]);
      }
    },
  };
}

/** The found terms, or the question itself where a stage gave none; that is noted and marks the answer. */
export function orQuestion(
  terms: readonly string[],
  stage: string,
  question: AskedQuestion,
  context: GraphQuestion,
): readonly string[] {
  if (terms.length > 0) return terms;
  noteFallback(context, `${stage}: the question itself is searched for`);
  return [question.text];
}

/** Marks the answer of a question in which a stage came out empty. */
export function noteFallback({ tracer, flags }: GraphQuestion, note: string): void {
  tracer.emit({ type: "note", note });
  flags.add("fallbackUsed");
}
