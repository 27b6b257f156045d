import type { Method, MethodAnswer } from "../../core/method.ts";
import type { ChatMessage } from "../../core/model.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import { createGraphMethod } from "../../pipelines/graph-build/method.ts";
import type { GraphQuestion } from "../../pipelines/graph-build/question.ts";
import { jsonKeywords } from "../../pipelines/graph-records/json-keywords.ts";
import { type CogRagConfig, type CogRagParameters, cogRagConfig } from "./config.ts";
import { prompts } from "./prompts.ts";
import { cogRecipe } from "./recipe.ts";
import { findEntities, findThemes } from "./retrieve.ts";

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
    title: "Cog-RAG",
    recipe: cogRecipe(parameters),
    promptHashes: Object.values(prompts).map(({ hash }) => hash),
    version: VERSION,
    parameters,
    answer: (question) => answerInStages(question, parameters),
  });
}

/** Four calls: theme keywords, draft, entity keywords, final answer. */
async function answerInStages(
  question: GraphQuestion,
  parameters: CogRagParameters,
): Promise<MethodAnswer> {
  const { graph, signal, text } = question;

  const themePrompt = prompts.themeKeywords.render({ question: text });
  const themeReply = await question.ask("cog-rag.theme-keywords", [user(themePrompt)], {});
  const themes = question
    .orItself(jsonKeywords(themeReply, "theme_keywords"), "no theme keyword")
    .join(", ");
  const overview = await findThemes(graph, themes, parameters, signal);
  question.show(themes, overview);
  const draft = await question.ask(
    "cog-rag.draft",
    [
      { role: "system", content: prompts.draftSystem.render({ knowledge: overview.text }) },
      user(prompts.draftQuestion.render({ question: text, keywords: themes })),
    ],
    {},
  );

  const entityPrompt = prompts.entityKeywords.render({ question: text, draft });
  const entityReply = await question.ask("cog-rag.entity-keywords", [user(entityPrompt)], {
    draft,
  });
  const entities = question
    .orItself(jsonKeywords(entityReply, "entity_keywords"), "no entity keyword")
    .join(", ");
  const details = await findEntities(graph, entities, parameters, signal);
  question.show(entities, details);
  const system = prompts.finalSystem.render({
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the rows of Sources" }),
    knowledge: details.text,
  });
  const content = prompts.finalQuestion.render({ question: text, draft, keywords: entities });
  return question.answer("cog-rag.answer", [{ role: "system", content: system }, user(content)], {
    draft,
  });
}

function user(content: string): ChatMessage {
  return { role: "user", content };
}
