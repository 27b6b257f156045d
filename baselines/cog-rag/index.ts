import type { AskedQuestion, Method, MethodAnswer } from "../../core/method.ts";
import type { ChatMessage } from "../../core/model.ts";
import { answerOnce } from "../../pipelines/answer-format/answer-once.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import {
  createGraphMethod,
  type GraphQuestion,
  noteFallback,
  orQuestion,
} from "../../pipelines/graph-build/method.ts";
import { jsonKeywords } from "../../pipelines/graph-records/json-keywords.ts";
import { traceShown, withChunkIds } from "../../pipelines/graph-store/show.ts";
import { callModel } from "../../pipelines/tracing/call-model.ts";
import { type CogRagConfig, type CogRagParameters, cogRagConfig } from "./config.ts";
import {
  draftQuestionPrompt,
  draftSystemPrompt,
  entityKeywordsPrompt,
  finalQuestionPrompt,
  finalSystemPrompt,
  questionPrompts,
  themeKeywordsPrompt,
} from "./prompts.ts";
import { cogRecipe } from "./recipe.ts";
import { findEntities, findThemes, type StageKnowledge } from "./retrieve.ts";

export { type CogRagConfig, cogRagConfig } from "./config.ts";

/** Raised when questions are answered in another way. */
const VERSION = 1;

/**
 * Cog-RAG: one hypergraph of themes and one of entities, extracted by a model chunk by chunk. A question is drafted
 * an answer from its themes and answered from the entities that question and draft name (haoohu/Cog-RAG, notes 8).
 */
export function createCogRag(config: CogRagConfig = {}): Method {
  const parameters = cogRagConfig.parse(config);
  return createGraphMethod({
    recipe: cogRecipe(parameters),
    title: "Cog-RAG",
    version: VERSION,
    parameters,
    promptHashes: questionPrompts.map(({ hash }) => hash),
    answer: (question, context) => answerInStages(question, context, parameters),
  });
}

/** Four calls: theme keywords, draft, entity keywords, final answer. */
async function answerInStages(
  question: AskedQuestion,
  context: GraphQuestion,
  parameters: CogRagParameters,
): Promise<MethodAnswer> {
  const { graph, signal, flags } = context;
  const asked = themeKeywordsPrompt.render({ question: question.text });
  const named = jsonKeywords(await ask("theme-keywords", [userSays(asked)], {}), "theme_keywords");
  const themes = orQuestion(named, "no theme keyword", question, context).join(", ");
  const overview = await findThemes(graph, themes, parameters, signal);
  show(themes, overview, "no theme was found");
  const draft = await ask(
    "draft",
    [
      { role: "system", content: draftSystemPrompt.render({ knowledge: overview.text }) },
      userSays(draftQuestionPrompt.render({ question: question.text, keywords: themes })),
    ],
    { sources: textsOf(overview) },
  );
  const wanted = entityKeywordsPrompt.render({ question: question.text, draft });
  const names = jsonKeywords(
    await ask("entity-keywords", [userSays(wanted)], { draft }),
    "entity_keywords",
  );
  const entities = orQuestion(names, "no entity keyword", question, context).join(", ");
  const details = await findEntities(graph, entities, parameters, signal);
  show(entities, details, "no entity was found");
  const system = finalSystemPrompt.render({
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the rows of Sources" }),
    knowledge: details.text,
  });
  const content = finalQuestionPrompt.render({
    question: question.text,
    draft,
    keywords: entities,
  });
  const reply = await answerOnce(
    context,
    {
      task: "cog-rag.answer",
      messages: [{ role: "system", content: system }, userSays(content)],
      hints: { question: question.text, draft, sources: textsOf(details) },
    },
    [...flags],
  );
  return withChunkIds(reply, details.sources);

  async function ask(
    task: string,
    messages: readonly ChatMessage[],
    hints: { draft?: string; sources?: string[] },
  ): Promise<string> {
    const request = { task: `cog-rag.${task}`, messages };
    const { message } = await callModel(context, {
      ...request,
      hints: { question: question.text, ...hints },
    });
    return message.content;
  }

  function show(query: string, { sources, sizes }: StageKnowledge, empty: string): void {
    if (sizes.entities + sizes.relationships === 0) noteFallback(context, empty);
    traceShown(context.tracer, query, sources, sizes);
  }
}

function userSays(content: string): ChatMessage {
  return { role: "user", content };
}

function textsOf({ sources }: StageKnowledge): string[] {
  return sources.map(({ text }) => text);
}
