import type { ChatModel } from "../../core/model.ts";
import {
  cleanField,
  END_MARK,
  readRecords,
  scoreOf,
} from "../../pipelines/graph-records/read-records.ts";
import { entitiesPrompt, themePrompt } from "./prompts.ts";

export interface KeyEntity {
  /** In upper case: equal spellings are one entity over all documents. */
  name: string;
  type: string;
  description: string;
}

/** What a chunk is about. */
export interface ChunkTheme {
  /** In upper case, as upstream; several themes of one chunk in one text. */
  text: string;
  keys: KeyEntity[];
}

export interface ChunkEntity extends KeyEntity {
  properties: string[];
}

/** A link between two entities or a group of more. */
export interface ChunkRelation {
  /** Distinct, sorted, in upper case. */
  names: string[];
  description: string;
  keywords: string;
  strength: number;
}

/** All that the two extractions take out of a chunk. */
export interface ChunkRecords {
  theme: ChunkTheme | undefined;
  entities: ChunkEntity[];
  relations: ChunkRelation[];
}

const separators = { fieldSeparator: "|", recordSeparator: "\n" };
const themeGrammar = { ...separators, tags: ["theme", "key_entity"] };
const entityGrammar = {
  ...separators,
  tags: ["Entity", "Low-order Hyperedge", "High-order Hyperedge"],
};

const STRENGTH = 0.75;

/** Asks twice about a chunk: for its theme, and for its entities and their links (notes 8.2). */
export async function extractChunk(text: string, model: ChatModel): Promise<ChunkRecords> {
  const hints = { text };
  const ask = async (task: string, prompt: typeof themePrompt): Promise<string> => {
    const content = prompt.render({ text: withoutBars(text), end: END_MARK });
    const { message } = await model.call({
      task: `cog-rag.${task}`,
      messages: [{ role: "user", content }],
      hints,
    });
    return message.content;
  };
  const theme = readTheme(await ask("theme", themePrompt));
  return { theme, ...readEntities(await ask("entities", entitiesPrompt)) };
}

/** How many records count: a chunk without a theme, or without entities and links, gave none. */
export function recordCount({ theme, entities, relations }: ChunkRecords): number {
  const details = entities.length + relations.length;
  return theme === undefined || details === 0 ? 0 : 1 + theme.keys.length + details;
}

/** A bar in a text would end a field: rows of tables are full of them. */
function withoutBars(text: string): string {
  return text.replaceAll("|", "¦");
}

/**
 * Reads a chunk's theme. Several themes are joined, and without a theme record the first line that is no record of
 * another kind stands for it; undefined for an empty reply.
 */
export function readTheme(output: string): ChunkTheme | undefined {
  const themes: string[] = [];
  const keys: KeyEntity[] = [];
  for (const { tag, fields } of readRecords(output, themeGrammar)) {
    const [first = "", type = "", description = ""] = fields;
    if (first === "") continue;
    if (tag === "theme") themes.push(first);
    else if (fields.length >= 3)
      keys.push({ name: first.toUpperCase(), type: type.toUpperCase(), description });
  }
  const text = themes.length > 0 ? themes.join(" ") : firstRaw(output);
  return text === "" ? undefined : { text: text.toUpperCase(), keys };
}

/** The first record as it stands, without marks: what upstream takes for the theme where it reads none. */
function firstRaw(output: string): string {
  const lines = output.split(END_MARK).join("\n").split("\n");
  const raw = lines.map((line) => line.trim()).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
  return cleanField(raw.replace(/^\(+|\)+$/g, ""));
}

/** Reads entities and links; the fields behind the names are counted from the end (notes 8.2). */
export function readEntities(output: string): Pick<ChunkRecords, "entities" | "relations"> {
  const entities: ChunkEntity[] = [];
  const relations: ChunkRelation[] = [];
  for (const { tag, fields } of readRecords(output, entityGrammar)) {
    if (tag === "entity") {
      const [name = "", type = "", description = "", ...properties] = fields;
      if (fields.length < 3 || name === "") continue;
      entities.push({
        name: name.toUpperCase(),
        type: type.toUpperCase(),
        description,
        properties: properties.filter((property) => property !== ""),
      });
      continue;
    }
    const high = tag.startsWith("high");
    const relation = fields.length < (high ? 6 : 5) ? undefined : relationOf(fields, high ? 4 : 3);
    if (relation !== undefined && relation.names.length > 1) relations.push(relation);
  }
  return { entities, relations };
}

/** @param tail how many fields stand behind the names, the description first and keywords and strength last */
function relationOf(fields: readonly string[], tail: number): ChunkRelation {
  const names = fields.slice(0, -tail).map((name) => name.toUpperCase());
  return {
    names: [...new Set(names.filter((name) => name !== ""))].sort(),
    description: fields.at(-tail)!,
    keywords: fields.at(-2)!,
    strength: scoreOf(fields.at(-1), STRENGTH),
  };
}
