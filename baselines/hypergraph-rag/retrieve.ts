import type { GraphChunk } from "../../pipelines/graph-chunks/index.ts";
import { csvBlock, distinctRows, type TableRow } from "../../pipelines/graph-records/table.ts";
import { withinTokens } from "../../pipelines/graph-records/token-cut.ts";
import { type Graph, rankedSources, sourceChunks } from "../../pipelines/graph-store/graph.ts";
import { type Knowledge, knowledgeOf } from "../../pipelines/graph-store/knowledge.ts";
import { idOf } from "../../pipelines/graph-store/tables.ts";
import type { HypergraphRagParameters } from "./config.ts";
import type { QueryTerms } from "./extract.ts";
import { type Entity, HYPEREDGE_PREFIX, type Hyperedge } from "./recipe.ts";

type Budgets = Pick<
  HypergraphRagParameters,
  "topK" | "sourceTokens" | "hyperedgeTokens" | "entityTokens"
>;

/** What one side of the search brings. */
interface Side {
  entities: Entity[];
  hyperedges: Hyperedge[];
  sources: GraphChunk[];
}

/** Searches both sides and fuses them: rows of the hyperedge side first, repeats dropped, numbered anew (notes 7.4). */
export async function gatherKnowledge(
  graph: Graph,
  terms: QueryTerms,
  budgets: Budgets,
  signal: AbortSignal,
): Promise<Knowledge> {
  const entitySide = await searchEntities(graph, terms.names, budgets, signal);
  const hyperedgeSide = await searchHyperedges(graph, terms.statements, budgets, signal);
  return fuse([hyperedgeSide, entitySide]);
}

/** Entities near the names: their best connected hyperedges, and the chunks they come from. */
async function searchEntities(
  graph: Graph,
  names: readonly string[],
  { topK, hyperedgeTokens, sourceTokens }: Budgets,
  signal: AbortSignal,
): Promise<Side> {
  const near = await graph.near("entity", names.join(", "), topK, signal);
  const entities = near.map(({ id }) => graph.tables.get<Entity>("entity", id)!);
  const hyperedge = hyperedgeReader(graph);
  const pairs = entities.flatMap((entity) =>
    entity.hyperedges.map(({ id, weight }) => {
      const edge = hyperedge(id);
      return { edge, weight, degree: entity.hyperedges.length + edge.entities.length };
    }),
  );
  pairs.sort((a, b) => b.degree - a.degree || b.weight - a.weight);
  // One hyperedge stands here once for each of its entities, and takes room each time, as upstream (notes 7.5 f).
  const kept = withinTokens(pairs, ({ edge }) => edge.text, hyperedgeTokens);
  const positions = rankedSources(
    entities.map(({ sources, hyperedges }) => ({
      sources,
      neighbours: hyperedges.map(({ id }) => hyperedge(id)),
    })),
  );
  return {
    entities,
    hyperedges: kept.map(({ edge }) => edge),
    sources: sourceChunks(graph, positions, sourceTokens),
  };
}

/** Hyperedges near the statements, their entities, and the chunks they come from. */
async function searchHyperedges(
  graph: Graph,
  statements: readonly string[],
  { topK, hyperedgeTokens, entityTokens, sourceTokens }: Budgets,
  signal: AbortSignal,
): Promise<Side> {
  const query = statements.join(", ");
  const near = await graph.near("hyperedge", query, topK, signal);
  const found = near.map(({ id, score }) => ({
    edge: graph.tables.get<Hyperedge>("hyperedge", id)!,
    score,
  }));
  found.sort((a, b) => b.score - a.score || b.edge.weight - a.edge.weight);
  const edges = found.map(({ edge }) => edge);
  const hyperedges = withinTokens(edges, ({ text }) => text, hyperedgeTokens);
  const names = new Set(hyperedges.flatMap(({ entities }) => entities.map(({ name }) => name)));
  const entities = [...names].map((name) => graph.tables.get<Entity>("entity", idOf(name))!);
  return {
    entities: withinTokens(entities, ({ description }) => description, entityTokens),
    hyperedges,
    sources: sourceChunks(
      graph,
      hyperedges.flatMap(({ sources }) => sources),
      sourceTokens,
    ),
  };
}

/** Reads a hyperedge once per question, however many entities share it. */
function hyperedgeReader({ tables }: Graph): (id: string) => Hyperedge {
  const read = new Map<string, Hyperedge>();
  return (id) => {
    const edge = read.get(id) ?? tables.get<Hyperedge>("hyperedge", id)!;
    read.set(id, edge);
    return edge;
  };
}

function fuse(sides: readonly Side[]): Knowledge {
  const rows = <T>(pick: (side: Side) => readonly T[], row: (item: T) => TableRow) =>
    distinctRows(...sides.map((side) => pick(side).map(row)));
  const entities = rows(
    (side) => side.entities,
    ({ name, type, description }) => [name, type, description],
  );
  const relationships = rows(
    (side) => side.hyperedges,
    ({ text, entities: members }) => [text, members.map(({ name }) => name).join("|")],
  );
  const byText = new Map(
    sides.flatMap(({ sources }) => sources.map((chunk) => [chunk.text, chunk] as const)),
  );
  return knowledgeOf(
    [
      csvBlock("Entities", ["entity", "type", "description"], entities),
      csvBlock("Relationships", ["hyperedge", "related entities"], relationships),
    ],
    [...byText.values()],
    { entities: entities.length, relationships: relationships.length },
  );
}

/** Statements as they are searched for: like the keys of hyperedges. */
export function asKeys(statements: readonly string[]): string[] {
  return statements.map((statement) => `${HYPEREDGE_PREFIX}${statement}`);
}
