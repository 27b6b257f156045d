import type { GraphRecipe, Mention, SourcedMention } from "../../pipelines/graph-build/index.ts";
import {
  joinDistinct,
  majority,
  sumWeights,
  unionOfSources,
} from "../../pipelines/graph-records/merge.ts";
import { idOf } from "../../pipelines/graph-store/tables.ts";
import type { HypergraphRagParameters } from "./config.ts";
import { type ExtractedSegment, extractionOutput, readSegments } from "./extract.ts";
import { extractionPrompts } from "./prompts.ts";

/** Raised when replies are read or merged in another way. */
const VERSION = 1;

/** Stands before a statement in the key of its hyperedge, and so in the text that is embedded. */
export const HYPEREDGE_PREFIX = "<hyperedge>";

/** A hyperedge node of the bipartite graph, with its edges. Its degree is the number of its entities. */
export type Hyperedge = {
  text: string;
  weight: number;
  sources: number[];
  entities: { name: string; weight: number }[];
};

/** An entity node, with its edges. Its degree is the number of its hyperedges. */
export type Entity = {
  name: string;
  type: string;
  description: string;
  sources: number[];
  hyperedges: { id: string; weight: number }[];
};

type HyperedgeMention = Pick<ExtractedSegment, "text" | "score" | "entities">;
interface EntityMention {
  name: string;
  type: string;
  description: string;
  score: number;
  hyperedge: string;
}

/** How chunks become the graph of HyperGraphRAG (notes 7.2, 7.3). */
export function hypergraphRecipe(
  parameters: HypergraphRagParameters,
): GraphRecipe<ExtractedSegment[]> {
  const { graphChunks, gleanings, summaryTokens } = parameters;
  return {
    kind: "hypergraph-rag",
    version: VERSION,
    chunking: graphChunks,
    prompts: extractionPrompts,
    parameters: { gleanings },
    embedding: {},
    async extract({ text }, model) {
      const value = readSegments(await extractionOutput(text, gleanings, model));
      return { value, records: value.length };
    },
    mentions: mentionsOf,
    tables: {
      entity: {
        merge: mergeEntity,
        nameOf: ({ name }) => String(name),
        summarise: { description: summaryTokens },
        embeddedText: ({ name, description }) => `${name} ${description}`,
      },
      hyperedge: {
        merge: mergeHyperedge,
        nameOf: ({ text }) => String(text),
        summarise: {},
        embeddedText: ({ text }) => `${HYPEREDGE_PREFIX}${text}`,
      },
    },
  };
}

function* mentionsOf(segments: readonly ExtractedSegment[]): Generator<Mention> {
  for (const { text, score, entities } of segments) {
    const hyperedge = idOf(text);
    yield { table: "hyperedge", id: hyperedge, data: { text, score, entities } as never };
    for (const entity of entities) {
      yield { table: "entity", id: idOf(entity.name), data: { ...entity, hyperedge } };
    }
  }
}

function mergeHyperedge(mentions: readonly SourcedMention<HyperedgeMention>[]): Hyperedge {
  const entities = mentions.flatMap(({ data }) => data.entities);
  return {
    text: mentions[0]!.data.text,
    weight: mentions.reduce((sum, { data }) => sum + data.score, 0),
    sources: unionOfSources(mentions),
    entities: sumWeights(entities.map(({ name, score }) => ({ key: name, weight: score }))).map(
      ({ key, weight }) => ({ name: key, weight }),
    ),
  };
}

function mergeEntity(mentions: readonly SourcedMention<EntityMention>[]): Entity {
  const all = mentions.map(({ data }) => data);
  return {
    name: all[0]!.name,
    type: majority(all.map(({ type }) => type)),
    description: joinDistinct(all.map(({ description }) => description)),
    sources: unionOfSources(mentions),
    hyperedges: sumWeights(
      all.map(({ hyperedge, score }) => ({ key: hyperedge, weight: score })),
    ).map(({ key, weight }) => ({ id: key, weight })),
  };
}
