import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BuildContext } from "../../core/method.ts";
import type { OpenBuild } from "../builds/index.ts";
import { graphChunks } from "../graph-chunks/index.ts";
import { CHUNK_TABLE, chunkKey } from "../graph-store/graph.ts";
import { createTables, type WritableTables } from "../graph-store/tables.ts";
import { requireUsable } from "./extract.ts";
import type { GraphRecipe, GraphRecord, SourcedMention } from "./recipe.ts";
import { isLong, type LongText, summariseTexts, summaryKey } from "./summarise.ts";

/** Rows of an embedded table in the order of its vectors: row number -> record id. */
export function rowsOf(table: string): string {
  return `${table}-rows`;
}

/**
 * Merges what was extracted into the tables of a graph. Mentions are sorted on disk by record and document order, so
 * that neither memory nor the order in which calls came back matters. The folder appears when it is whole;
 * the caller holds the lock of `context.folder`.
 */
export async function assembleGraph<R>(
  recipe: GraphRecipe<R>,
  extraction: OpenBuild<R>,
  folder: string,
  context: BuildContext,
): Promise<void> {
  const temporary = `${folder}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  const tables = createTables(temporary);
  const mentions = createTables(join(temporary, "mentions"));
  try {
    await collectMentions(recipe, extraction, { tables, mentions }, context);
    const long = await mergeMentions(recipe, { tables, mentions }, context.signal);
    if (long.length > 0) await putSummaries(recipe, long, tables, context);
    await putRows(recipe, tables);
    await tables.written();
  } catch (error) {
    await Promise.all([tables.close(), mentions.close()]);
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  await Promise.all([tables.close(), mentions.close()]);
  rmSync(join(temporary, "mentions"), { recursive: true });
  renameSync(temporary, folder);
}

interface Stores {
  tables: WritableTables;
  mentions: WritableTables;
}

async function collectMentions<R>(
  recipe: GraphRecipe<R>,
  extraction: OpenBuild<R>,
  { tables, mentions }: Stores,
  context: BuildContext,
): Promise<void> {
  let count = 0;
  for (const chunk of graphChunks(recipe.chunking, context)) {
    context.signal.throwIfAborted();
    await tables.put(CHUNK_TABLE, chunkKey(chunk.position), chunk);
    const extracted = extraction.get(chunk.id)?.value;
    if (extracted === undefined) continue;
    for (const { table, id, data } of recipe.mentions(extracted, chunk)) {
      const mention = { data, source: chunk.position };
      await mentions.put(table, `${id}/${chunkKey(count++)}`, mention);
    }
  }
  await Promise.all([tables.written(), mentions.written()]);
}

/** Merges record by record; returns the fields that are too long. */
async function mergeMentions<R>(
  recipe: GraphRecipe<R>,
  { tables, mentions }: Stores,
  signal: AbortSignal,
): Promise<LongText[]> {
  const long: LongText[] = [];
  for (const [table, { merge, nameOf, summarise }] of Object.entries(recipe.tables)) {
    for (const { id, group } of groups(mentions.all<SourcedMention<never>>(table))) {
      signal.throwIfAborted();
      const record = merge(group);
      await tables.put(table, id, record);
      for (const [field, tokens] of Object.entries(summarise)) {
        const text = String(record[field] ?? "");
        if (isLong(text, tokens)) long.push({ table, id, field, name: nameOf(record), text });
      }
    }
  }
  await tables.written();
  return long;
}

/** Neighbours with the same id before the slash. */
function* groups<T>(
  rows: Iterable<{ id: string; record: T }>,
): Generator<{ id: string; group: T[] }> {
  let open: { id: string; group: T[] } | undefined;
  for (const { id, record } of rows) {
    const own = id.slice(0, id.indexOf("/"));
    if (open?.id !== own) {
      if (open !== undefined) yield open;
      open = { id: own, group: [] };
    }
    open.group.push(record);
  }
  if (open !== undefined) yield open;
}

/** Puts the summaries into their records; what could not be summarised stays as it was joined. */
async function putSummaries<R>(
  { kind }: GraphRecipe<R>,
  long: readonly LongText[],
  tables: WritableTables,
  context: BuildContext,
): Promise<void> {
  const build = await summariseTexts(kind, long, context);
  try {
    requireUsable(build.manifest, context);
    for (const text of long) {
      const summary = build.get(summaryKey(text))?.value;
      if (summary === undefined || summary === "") continue;
      const record = tables.get<GraphRecord>(text.table, text.id);
      await tables.put(text.table, text.id, { ...record, [text.field]: summary });
      await tables.written();
    }
  } finally {
    await build.close();
  }
}

async function putRows<R>(recipe: GraphRecipe<R>, tables: WritableTables): Promise<void> {
  for (const [table, { embeddedText }] of Object.entries(recipe.tables)) {
    if (embeddedText === undefined) continue;
    let row = 0;
    for (const id of [...tables.ids(table)]) {
      const record = tables.get<GraphRecord>(table, id)!;
      if (embeddedText(record, []) === undefined) continue;
      await tables.put(rowsOf(table), chunkKey(row++), id);
    }
  }
}
