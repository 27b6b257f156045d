import { sha256 } from "../../core/fingerprint.ts";
import type {
  GraphRecipe,
  GraphRecord,
  Mention,
  SourcedMention,
} from "../../pipelines/graph-build/index.ts";
import {
  joinDistinct,
  majority,
  SEPARATOR,
  unionOfSources,
} from "../../pipelines/graph-records/merge.ts";
import { idOf } from "../../pipelines/graph-store/tables.ts";
import type { CogRagParameters } from "./config.ts";
import {
  type ChunkRecords,
  type ChunkRelation,
  extractChunk,
  type KeyEntity,
  recordCount,
} from "./extract.ts";
import { entitiesPrompt, themePrompt } from "./prompts.ts";

/** Raised when replies are read or merged in another way. */
const VERSION = 1;

const UNKNOWN = "UNKNOWN";

/** Vertex of a hypergraph; `hyperedges` are the ids of what it is in, and their number is its degree. */
export type Vertex = {
  name: string;
  type: string;
  description: string;
  /** Further properties, joined; empty for key entities. */
  properties: string;
  sources: number[];
  hyperedges: string[];
};

/** Hyperedge of the theme hypergraph. Its degree is the number of its names. */
export type Theme = { text: string; names: string[]; sources: number[] };

/** Hyperedge of the entity hypergraph. */
export type Relation = {
  names: string[];
  description: string;
  keywords: string;
  weight: number;
  sources: number[];
};

/** A vertex as a record tells of it, or only as a name of a hyperedge. */
type VertexData = { name: string; hyperedge?: string } & Partial<KeyEntity> & {
    properties?: string[];
  };

/** How chunks become the two hypergraphs of Cog-RAG (notes 8.2, 8.3, 8.5). */
export function cogRecipe(parameters: CogRagParameters): GraphRecipe<ChunkRecords> {
  const { graphChunks, summariseFrom, themeChunkIds } = parameters;
  const nameOf = ({ name }: GraphRecord) => String(name);
  const namesOf = ({ names }: GraphRecord) => (names as string[]).join(", ");
  return {
    kind: "cog-rag",
    version: VERSION,
    chunking: graphChunks,
    prompts: [themePrompt, entitiesPrompt],
    parameters: {},
    embedding: { themeChunkIds },
    async extract({ text }, model) {
      const value = await extractChunk(text, model);
      return { value, records: recordCount(value) };
    },
    mentions: mentionsOf,
    tables: {
      theme: {
        merge: mergeTheme,
        nameOf: namesOf,
        summarise: { text: summariseFrom.relation },
        embeddedText: ({ names, text }, chunkIds) =>
          [...(themeChunkIds ? [hashesOf(chunkIds)] : []), ...(names as string[]), text].join(" "),
      },
      key: { merge: mergeVertex, nameOf, summarise: { description: summariseFrom.entity } },
      entity: {
        merge: mergeVertex,
        nameOf,
        summarise: {
          description: summariseFrom.entity,
          properties: summariseFrom.properties,
        },
        embeddedText: ({ name, type, description }) =>
          type === UNKNOWN && description === UNKNOWN ? undefined : `${name} ${description}`,
      },
      relation: {
        merge: mergeRelation,
        nameOf: namesOf,
        summarise: { description: summariseFrom.relation, keywords: summariseFrom.keywords },
      },
    },
  };
}

/** Upstream's chunk ids are hashes; ids of ours would tell the encoder the document's name. */
function hashesOf(chunkIds: readonly string[]): string {
  return chunkIds.map((id) => `chunk-${sha256(id).slice(0, 32)}`).join(SEPARATOR);
}

function* mentionsOf(
  { theme, entities, relations }: ChunkRecords,
  chunk: { id: string },
): Generator<Mention> {
  if (theme !== undefined) {
    const names = [...new Set(theme.keys.map(({ name }) => name))];
    // Chunks with the same keys share a theme; those without any must not all be one.
    const hyperedge = names.length === 0 ? idOf(`chunk ${chunk.id}`) : idOfNames(names);
    yield { table: "theme", id: hyperedge, data: { text: theme.text, names } };
    for (const key of theme.keys) {
      yield { table: "key", id: idOf(key.name), data: { ...key, hyperedge } };
    }
  }
  for (const entity of entities) {
    yield { table: "entity", id: idOf(entity.name), data: { ...entity } };
  }
  for (const relation of relations) {
    const hyperedge = idOfNames(relation.names);
    yield { table: "relation", id: hyperedge, data: { ...relation } };
    for (const name of relation.names) {
      yield { table: "entity", id: idOf(name), data: { name, hyperedge } };
    }
  }
}

function idOfNames(names: readonly string[]): string {
  return idOf(JSON.stringify([...names].sort()));
}

function mergeTheme(mentions: readonly SourcedMention<{ text: string; names: string[] }>[]): Theme {
  return {
    text: joinDistinct(mentions.map(({ data }) => data.text)),
    names: mentions[0]!.data.names,
    sources: unionOfSources(mentions),
  };
}

function mergeRelation(mentions: readonly SourcedMention<ChunkRelation>[]): Relation {
  const all = mentions.map(({ data }) => data);
  return {
    names: all[0]!.names,
    weight: all.reduce((sum, { strength }) => sum + strength, 0),
    description: joinDistinct(all.map(({ description }) => description)),
    keywords: joinDistinct(all.map(({ keywords }) => keywords)),
    sources: unionOfSources(mentions),
  };
}

/** A name that only hyperedges know becomes a vertex with unknown fields. */
function mergeVertex(mentions: readonly SourcedMention<VertexData>[]): Vertex {
  const told = mentions.filter(({ data }) => data.description !== undefined);
  const known = told.map(({ data }) => data);
  const of = (values: readonly (string | undefined)[]) => joinDistinct(values.map((v) => v ?? ""));
  return {
    name: mentions[0]!.data.name,
    type: known.length === 0 ? UNKNOWN : majority(known.map(({ type }) => type ?? "")),
    description: known.length === 0 ? UNKNOWN : of(known.map(({ description }) => description)),
    properties: of(known.flatMap(({ properties }) => properties ?? [])),
    sources: unionOfSources(told.length > 0 ? told : mentions),
    hyperedges: [...new Set(mentions.flatMap(({ data }) => data.hyperedge ?? []))],
  };
}
