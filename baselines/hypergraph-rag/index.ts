import type { AskedQuestion, Method, MethodAnswer } from "../../core/method.ts";
import { answerOnce } from "../../pipelines/answer-format/answer-once.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import {
  createGraphMethod,
  type GraphQuestion,
  noteFallback,
  orQuestion,
} from "../../pipelines/graph-build/method.ts";
import { traceShown, withChunkIds } from "../../pipelines/graph-store/show.ts";
import { callModel } from "../../pipelines/tracing/call-model.ts";
import { type HypergraphRagConfig, hypergraphRagConfig } from "./config.ts";
import { readQueryTerms } from "./extract.ts";
import { extractionPrompt, questionPrompt, systemPrompt } from "./prompts.ts";
import { hypergraphRecipe } from "./recipe.ts";
import { asKeys, gatherKnowledge } from "./retrieve.ts";

export { type HypergraphRagConfig, hypergraphRagConfig } from "./config.ts";

/** Raised when questions are answered in another way. */
const VERSION = 1;

/**
 * HyperGraphRAG: a graph of statements that link any number of entities, extracted by a model chunk by chunk;
 * a question is searched among entities and statements, and answered in one call (LHRLAB/HyperGraphRAG, notes 7).
 */
export function createHypergraphRag(config: HypergraphRagConfig = {}): Method {
  const parameters = hypergraphRagConfig.parse(config);
  const system = systemPrompt.render({
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the rows of Sources" }),
  });

  async function answer(question: AskedQuestion, context: GraphQuestion): Promise<MethodAnswer> {
    const { message } = await callModel(context, {
      task: "hypergraph-rag.query",
      messages: [{ role: "user", content: extractionPrompt(question.text) }],
      hints: { text: question.text },
    });
    const found = readQueryTerms(message.content);
    const terms = {
      statements: orQuestion(asKeys(found.statements), "no statement", question, context),
      names: orQuestion(found.names, "no entity", question, context),
    };
    const { graph, tracer, flags, signal } = context;
    const { text, sources, sizes } = await gatherKnowledge(graph, terms, parameters, signal);
    if (sizes.entities + sizes.relationships === 0) noteFallback(context, "nothing was found");
    const query = [...terms.names, ...found.statements].join(", ");
    traceShown(tracer, query, sources, sizes);
    const content = questionPrompt.render({ knowledge: text, question: question.text });
    const reply = await answerOnce(
      context,
      {
        task: "hypergraph-rag.answer",
        messages: [
          { role: "system", content: system },
          { role: "user", content },
        ],
        hints: { question: question.text, sources: sources.map((chunk) => chunk.text) },
      },
      [...flags],
    );
    return withChunkIds(reply, sources);
  }

  return createGraphMethod({
    recipe: hypergraphRecipe(parameters),
    title: "HyperGraphRAG",
    version: VERSION,
    parameters,
    promptHashes: [systemPrompt, questionPrompt].map(({ hash }) => hash),
    answer,
  });
}
