import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { Method, MethodAnswer } from "../../core/method.ts";
import { overflowAnswer } from "../answer-format/answer-once.ts";
import { ANSWER_FORMAT_VERSION, finalFormatPrompt } from "../answer-format/index.ts";
import { NATIVE_CHUNKING } from "../graph-chunks/index.ts";
import { createGraphShelf } from "./index.ts";
import { type GraphQuestion, graphQuestion } from "./question.ts";
import type { GraphRecipe } from "./recipe.ts";

export interface GraphMethodParts<R> {
  recipe: GraphRecipe<R>;
  title: string;
  /** Raised when questions are answered in another way. */
  version: number;
  parameters: unknown;
  /** Of the prompts that questions are answered with. */
  promptHashes: readonly Fingerprint[];
  answer(question: GraphQuestion): Promise<MethodAnswer>;
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
    ...(recipe.chunking === "native1200" ? { ownChunking: NATIVE_CHUNKING } : {}),
    fits: ({ summary }) =>
      summary.singleTree
        ? { fits: false, reason: "a portal of one tree is too large to extract a graph from" }
        : { fits: true },
    buildFingerprint: shelf.fingerprint,
    build: shelf.build,
    async answer(question, context) {
      context.signal.throwIfAborted();
      const graph = shelf.graphOf(context);
      const marks = graph.mark === undefined ? [] : ["unsoundBuild"];
      const asked = graphQuestion(question, context, graph, marks);
      try {
        return await answer(asked);
      } catch (error) {
        return overflowAnswer(error, context.tracer, [...asked.flags]);
      }
    },
  };
}
