import type { Method, MethodAnswer } from "../../core/method.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import { createGraphMethod } from "../../pipelines/graph-build/method.ts";
import type { GraphQuestion } from "../../pipelines/graph-build/question.ts";
import {
  type HypergraphRagConfig,
  type HypergraphRagParameters,
  hypergraphRagConfig,
} from "./config.ts";
import { readQueryTerms } from "./extract.ts";
import { extractionPrompt, questionPrompt, systemPrompt } from "./prompts.ts";
import { hypergraphRecipe } from "./recipe.ts";
import { asKeys, gatherKnowledge } from "./retrieve.ts";

export { type HypergraphRagConfig, hypergraphRagConfig } from "./config.ts";

/** Raised when questions are answered in another way. */
const VERSION = 1;

const system = systemPrompt.render({
  final_format: finalFormatPrompt.render({ source_kind: "Ids of the rows of Sources" }),
});

/**
 * HyperGraphRAG: a graph of statements that link any number of entities, extracted by a model chunk by chunk;
 * a question is searched among entities and statements, and answered in one call (LHRLAB/HyperGraphRAG, notes 7).
 */
export function createHypergraphRag(config: HypergraphRagConfig = {}): Method {
  const parameters = hypergraphRagConfig.parse(config);
  return createGraphMethod({
    recipe: hypergraphRecipe(parameters),
    title: "HyperGraphRAG",
    version: VERSION,
    parameters,
    promptHashes: [systemPrompt.hash, questionPrompt.hash],
    answer: (question) => answer(question, parameters),
  });
}

/** Two calls: the records of the question, then the answer from what is found for them. */
async function answer(
  question: GraphQuestion,
  parameters: HypergraphRagParameters,
): Promise<MethodAnswer> {
  const { text, graph, signal } = question;
  const asked = extractionPrompt(text);
  const found = readQueryTerms(
    await question.ask("hypergraph-rag.query", [{ role: "user", content: asked }], { text }),
  );
  const terms = {
    statements: question.orItself(asKeys(found.statements), "no statement"),
    names: question.orItself(found.names, "no entity"),
  };
  const knowledge = await gatherKnowledge(graph, terms, parameters, signal);
  question.show([...terms.names, ...found.statements].join(", "), knowledge);
  const content = questionPrompt.render({ knowledge: knowledge.text, question: text });
  return question.answer(
    "hypergraph-rag.answer",
    [
      { role: "system", content: system },
      { role: "user", content },
    ],
    {},
  );
}
