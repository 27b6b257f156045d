import type { Corpus } from "../../../core/corpus/corpus.ts";
import type { NodeMetadataSource } from "../../../core/method.ts";
import type { ChatModel } from "../../../core/model.ts";
import { estimateInputTokens, type PlannedCalls } from "../../../models/forecast.ts";
import type { BuildManifest } from "../stage/manifest.ts";
import type { BuildRequest, BuildRun } from "../stage/request.ts";
import { type OpenBuild, openBuild, runBuild } from "../stage/run-build.ts";
import { buildKind } from "../stage/soundness.ts";
import { type BuildWhat, buildFolder, describeBuild } from "../stage/what.ts";
import {
  type DescribedNode,
  describeNodes,
  hasMetadata,
  metadataPrompts,
  OUTPUT_TOKENS,
} from "./describe.ts";
import { type MetadataUnit, metadataUnits } from "./units.ts";

/** Raised when replies are read in another way. */
const VERSION = 1;

/** Words of the prompt around a text. */
const PROMPT_CHARACTERS = 1_200;

/** What decides the artefact. */
export interface MetadataOptions {
  corpus: Corpus;
  model: ChatModel;
  /** Short nodes that follow each other share a call. */
  batchShortNodes: boolean;
}

/** Summaries and keywords by node, read from disk. */
export interface BuiltMetadata extends NodeMetadataSource {
  readonly manifest: BuildManifest;
  close(): Promise<void>;
}

/** Identity of the metadata build; its fingerprint names the folder. */
export function metadataWhat({ corpus, model, batchShortNodes }: MetadataOptions): BuildWhat {
  return describeBuild({
    kind: "node-metadata",
    corpus: corpus.summary.hash,
    model,
    prompts: metadataPrompts,
    parameters: { version: VERSION, batchShortNodes },
  });
}

/**
 * Summary and keywords for every node with text (A29): one call a node, or one for several short ones. Pass
 * the request to `runBuild`, `forecastBuild` or use {@link buildMetadata}.
 */
export function metadataRequest(
  home: string,
  options: MetadataOptions,
  run: BuildRun,
): BuildRequest<MetadataUnit, DescribedNode[]> {
  const { corpus, model, batchShortNodes } = options;
  const what = metadataWhat(options);
  const units = metadataUnits(corpus, batchShortNodes);
  return {
    ...run,
    folder: buildFolder(home, what),
    what,
    model,
    unit: batchShortNodes ? "call" : "node",
    units: units.all,
    total: units.total,
    async process({ nodes }, context) {
      const described = await describeNodes(corpus, nodes, context.model);
      const value = described.filter(hasMetadata);
      return { value, records: value.length };
    },
  };
}

/**
 * The calls of a metadata build as a plan for `forecast` (models/forecast.ts), nothing called: prompts by
 * their characters, replies at their full length, so that it errs upwards.
 */
export function plannedMetadataCalls({
  corpus,
  model,
  batchShortNodes,
}: MetadataOptions): PlannedCalls {
  const { total, all } = metadataUnits(corpus, batchShortNodes);
  let inputTokens = 0;
  let nodes = 0;
  for (const unit of all()) {
    const content = "x".repeat(unit.size + PROMPT_CHARACTERS);
    inputTokens += estimateInputTokens({ messages: [{ role: "user", content }] });
    nodes += unit.nodes.length;
  }
  return {
    model: model.id,
    role: "build",
    calls: total,
    inputTokensPerCall: total === 0 ? 0 : inputTokens / total,
    outputTokensPerCall: total === 0 ? 0 : (OUTPUT_TOKENS * nodes) / total,
  };
}

/** Runs the metadata build, or opens it where it is there, and gives its result by node. */
export async function buildMetadata(
  home: string,
  options: MetadataOptions,
  run: BuildRun,
): Promise<BuiltMetadata> {
  return metadataSource(await runBuild(metadataRequest(home, options, run)), options);
}

/**
 * Opens a metadata build that an earlier command made.
 *
 * @throws RitbenchError E_BUILD_MISSING
 */
export function openMetadata(home: string, options: MetadataOptions): BuiltMetadata {
  return metadataSource(
    openBuild<DescribedNode[]>(buildFolder(home, metadataWhat(options))),
    options,
  );
}

function metadataSource(
  build: OpenBuild<DescribedNode[]>,
  { corpus, batchShortNodes }: MetadataOptions,
): BuiltMetadata {
  const { keyOf } = metadataUnits(corpus, batchShortNodes);
  return {
    manifest: build.manifest,
    kind: buildKind(build.manifest),
    get(node) {
      const key = keyOf(node);
      const stored = key === undefined ? undefined : build.get(key)?.value;
      const found = stored?.find((item) => item.node === node);
      return found && { summary: found.summary, keywords: found.keywords };
    },
    close: build.close,
  };
}
