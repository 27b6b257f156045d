import { SEPARATOR } from "../../pipelines/graph-records/merge.ts";
import { csvBlock } from "../../pipelines/graph-records/table.ts";
import { withinTokens } from "../../pipelines/graph-records/token-cut.ts";
import {
  chunkIdsOf,
  type Graph,
  rankedSources,
  sourceChunks,
} from "../../pipelines/graph-store/graph.ts";
import { type Knowledge, knowledgeOf } from "../../pipelines/graph-store/knowledge.ts";
import { idOf } from "../../pipelines/graph-store/tables.ts";
import type { CogRagParameters } from "./config.ts";
import type { Relation, Theme, Vertex } from "./recipe.ts";

type Budgets = Pick<CogRagParameters, "topK" | "sourceTokens" | "relationTokens" | "entityTokens">;

/**
 * First stage: themes near the keywords, those with most key entities first whatever their nearness, their key
 * entities, and their chunks (notes 8.4, step 2).
 */
export async function findThemes(
  graph: Graph,
  query: string,
  { topK, sourceTokens, relationTokens, entityTokens }: Budgets,
  signal: AbortSignal,
): Promise<Knowledge> {
  const { tables } = graph;
  const near = await graph.near("theme", query, topK, signal);
  const found = near.map(({ id }) => tables.get<Theme>("theme", id)!);
  found.sort((a, b) => b.names.length - a.names.length);
  const themes = withinTokens(found, ({ text }) => text, relationTokens);
  const names = new Set(themes.flatMap((theme) => theme.names));
  const keys = withinTokens(
    [...names].map((name) => tables.get<Vertex>("key", idOf(name))!),
    ({ description }) => description,
    entityTokens,
  );
  const positions = themes.flatMap(({ sources }) => sources);
  const sources = sourceChunks(graph, positions, sourceTokens);
  return knowledgeOf(
    [
      csvBlock(
        "Entities",
        ["entity", "type", "description", "rank"],
        keys.map((key) => [key.name, key.type, key.description, key.hyperedges.length]),
      ),
      csvBlock(
        "Relationships",
        ["entity set", "description", "source_id", "rank"],
        themes.map((theme) => [
          theme.names.join("|"),
          theme.text,
          chunkIdsOf(tables, theme.sources).join(SEPARATOR),
          theme.names.length,
        ]),
      ),
    ],
    sources,
    { entities: keys.length, relationships: themes.length },
  );
}

/**
 * Second stage: entities near the keywords, all of them; the hyperedges they are in, by degree and weight; chunks by
 * the entities' rank, then by how many fellow members share the chunk (notes 8.4, step 5).
 */
export async function findEntities(
  graph: Graph,
  query: string,
  { topK, sourceTokens, relationTokens }: Budgets,
  signal: AbortSignal,
): Promise<Knowledge> {
  const { tables } = graph;
  const near = await graph.near("entity", query, topK, signal);
  const entities = near.map(({ id }) => tables.get<Vertex>("entity", id)!);
  const incident = new Map<string, Relation>();
  for (const id of entities.flatMap(({ hyperedges }) => hyperedges)) {
    if (!incident.has(id)) incident.set(id, tables.get<Relation>("relation", id)!);
  }
  const ordered = [...incident.values()].sort(
    (a, b) => b.names.length - a.names.length || b.weight - a.weight,
  );
  const relations = withinTokens(ordered, ({ description }) => description, relationTokens);
  const positions = rankedSources(
    entities.map((entity) => ({
      sources: entity.sources,
      neighbours: fellowsOf(entity, incident).map(
        (name) => tables.get<Vertex>("entity", idOf(name))!,
      ),
    })),
  );
  const sources = sourceChunks(graph, positions, sourceTokens);
  return knowledgeOf(
    [
      csvBlock(
        "Entities",
        ["entity", "type", "description", "additional properties", "rank"],
        entities.map((entity) => [
          entity.name,
          entity.type,
          entity.description,
          entity.properties,
          entity.hyperedges.length,
        ]),
      ),
      csvBlock(
        "Relationships",
        ["entity set", "description", "keywords", "weight", "rank"],
        relations.map((relation) => [
          relation.names.join("|"),
          relation.description,
          relation.keywords,
          relation.weight,
          relation.names.length,
        ]),
      ),
    ],
    sources,
    { entities: entities.length, relationships: relations.length },
  );
}

/** Names that share a hyperedge with an entity. */
function fellowsOf(entity: Vertex, incident: ReadonlyMap<string, Relation>): string[] {
  const names = new Set(entity.hyperedges.flatMap((id) => incident.get(id)!.names));
  names.delete(entity.name);
  return [...names];
}
