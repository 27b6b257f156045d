import type { ChatMessage, ChatModel } from "../../core/model.ts";
import { readRecords, scoreOf } from "../../pipelines/graph-records/read-records.ts";
import { extractionPrompt, gleaningPrompt, grammar, morePrompt } from "./prompts.ts";

/** An entity as one statement speaks of it. */
export interface ExtractedEntity {
  /** In upper case: equal spellings are one entity over all documents. */
  name: string;
  type: string;
  description: string;
  score: number;
}

/** A statement and the entities that follow it. */
export interface ExtractedSegment {
  text: string;
  score: number;
  entities: ExtractedEntity[];
}

/**
 * Asks for the records of a chunk: the extraction, a round of gleaning, and while the model says YES and rounds are
 * left, another one. With two rounds three or four calls. The YES or NO does not stay in the conversation.
 *
 * @returns all replies together
 */
export async function extractionOutput(
  text: string,
  gleanings: number,
  model: ChatModel,
): Promise<string> {
  const hints = { text };
  const messages: ChatMessage[] = [];
  const replies: string[] = [];
  const ask = async (task: string, content: string): Promise<string> => {
    const { message } = await model.call({
      task: `hypergraph-rag.${task}`,
      messages: [...messages, { role: "user", content }],
      hints,
    });
    return message.content;
  };
  for (let round = 0; round <= gleanings; round++) {
    if (round > 1 && !saysYes(await ask("more", morePrompt))) break;
    const content = round === 0 ? extractionPrompt(text) : gleaningPrompt;
    const reply = await ask(round === 0 ? "extract" : "glean", content);
    // An empty message must not stand in a conversation, and there is nothing to add to.
    if (reply.trim() === "") break;
    replies.push(reply);
    messages.push({ role: "user", content }, { role: "assistant", content: reply });
  }
  return replies.join("\n");
}

function saysYes(reply: string): boolean {
  return (
    reply
      .trim()
      .replace(/^["']+|["']+$/g, "")
      .toLowerCase() === "yes"
  );
}

/** Reads statements with their entities; entities before the first statement are dropped (notes 7.2). */
export function readSegments(output: string): ExtractedSegment[] {
  const segments: ExtractedSegment[] = [];
  for (const { tag, fields } of readRecords(output, grammar)) {
    if (tag === "hyper-relation") {
      const text = fields[0]!;
      if (fields.length < 2 || text === "") continue;
      segments.push({ text, score: scoreOf(fields.at(-1), 1), entities: [] });
      continue;
    }
    const entity = fields.length < 4 ? undefined : entityOf(fields);
    if (entity !== undefined && entity.name !== "") segments.at(-1)?.entities.push(entity);
  }
  return segments;
}

function entityOf(fields: readonly string[]): ExtractedEntity {
  const [name, type, description] = fields as [string, string, string];
  return {
    name: name.toUpperCase(),
    type: type.toUpperCase(),
    description,
    score: scoreOf(fields.at(-1), 50),
  };
}

/** What a question is searched with: statements, and names of entities. */
export interface QueryTerms {
  statements: readonly string[];
  names: readonly string[];
}

/** Reads the records of a question; here a record has to have exactly the fields asked for (notes 7.4). */
export function readQueryTerms(output: string): QueryTerms {
  const statements: string[] = [];
  const names: string[] = [];
  for (const { tag, fields } of readRecords(output, grammar)) {
    const [value = ""] = fields;
    if (value === "") continue;
    if (tag === "hyper-relation" && fields.length === 2) statements.push(value);
    if (tag === "entity" && fields.length === 4) names.push(value.toUpperCase());
  }
  return { statements, names };
}
