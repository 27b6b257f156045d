import { join } from "node:path";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { RitbenchError } from "../../core/errors.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import type { BuildContext, Method, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Gateway } from "../../models/gateway.ts";
import {
  type BuildForecast,
  type BuildManifest,
  type BuildRequest,
  type BuildUnit,
  type BuiltMetadata,
  buildMetadata,
  forecastBuild,
  inducedDocuments,
  type MetadataOptions,
  metadataRequest,
  readBuildManifest,
  requireSoundBuild,
  runBuild,
  type StructureOptions,
  spentUsd,
  structureRequest,
  writeInducedCorpus,
} from "../../pipelines/builds/index.ts";
import { integer } from "../../reports/table/format.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { homeFolder } from "../options.ts";
import { describeProgress, type ProgressLine, progressLine } from "../progress.ts";
import { requireKeys } from "./gateway.ts";

export interface BuilderOptions {
  config: Config;
  gateway: Gateway;
  /** No request leaves the machine, so no key is asked for. */
  offline: boolean;
  /** Use artefacts that are unfinished or unsound; tables carry the mark. */
  force: boolean;
  retryFailed?: boolean;
}

/** Runs the builds of an experiment with its build model, or opens them where they are there. */
export interface Builder {
  readonly model: ChatModel;
  /** Manifests of every build made or opened, in order. */
  readonly builds: readonly BuildManifest[];
  /** The corpus with induced trees; the same one where no document has pages. */
  structure(corpus: Corpus): Promise<Corpus>;
  metadata(corpus: Corpus): Promise<BuiltMetadata>;
  /** What a method builds its own artefacts with. */
  context(method: Method, dataset: string, shared: SharedResources): BuildContext;
  /** Builds a few units of each build that comes before the methods', and says what the rest would cost. */
  forecastStructure(corpus: Corpus): Promise<BuildForecast>;
  forecastMetadata(corpus: Corpus): Promise<BuildForecast>;
}

/** The build model of a config: its own, else the first generator. */
export function buildModelOf({
  buildModel,
  models,
}: Pick<Config, "buildModel" | "models">): string {
  return buildModel ?? models[0]!;
}

/**
 * @throws RitbenchError E_KEY_MISSING at the first build for a model without a key.
 */
export function createBuilder(io: Io, options: BuilderOptions): Builder {
  const { config, gateway, offline, force } = options;
  const home = homeFolder(io);
  const id = buildModelOf(config);
  const { maxTokens, ...sampling } = config.sampling[id] ?? {};
  const model = gateway.model({
    id,
    role: "build",
    repeat: 0,
    sampling: JSON.parse(JSON.stringify(sampling)),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
  const builds: BuildManifest[] = [];

  const line = progressLine(io);
  const how = (name: string) => ({
    concurrency: config.limits.concurrency,
    signal: io.signal,
    onProgress: (progress: Parameters<typeof describeProgress>[0]) =>
      line.update(`${name}: ${describeProgress(progress, "done")}`),
    onWaiting: (holder: string) => line.update(`${name}: waiting for ${holder}`),
    ...(options.retryFailed === true ? { retryFailed: true } : {}),
  });

  /** Keys are asked for only when something is left to build; what it has cost so far counts towards the caps. */
  function prepare<U extends BuildUnit, R>(request: BuildRequest<U, R>): BuildRequest<U, R> {
    const known = readBuildManifest(request.folder);
    if (known?.status === "finished") return request;
    if (!offline) requireKeys(gateway, [id]);
    if (known !== undefined) gateway.addEarlierSpend({ build: spentUsd(known.ledger) ?? 0 });
    return request;
  }

  function settle(manifest: BuildManifest): void {
    line.finish();
    builds.push(manifest);
    if (manifest.status === "interrupted") io.signal.throwIfAborted();
    if (manifest.status === "budget") {
      throw new RitbenchError(
        "E_BUDGET",
        `the build stopped at the spending cap: ${manifest.stopped ?? ""}`,
        {
          where: `${manifest.what.kind} build ${manifest.fingerprint}`,
          next: "the same command with a higher --max-cost-usd continues",
        },
      );
    }
    requireSoundBuild(manifest, { force });
  }

  const metadataOptions = (corpus: Corpus): MetadataOptions => ({
    corpus,
    model,
    batchShortNodes: config.builds.batchShortNodes,
  });
  const structureOptions = (corpus: Corpus): StructureOptions => ({
    corpus,
    model,
    keepOutlines: config.builds.keepOutlines,
  });

  return {
    model,
    builds,
    async structure(corpus) {
      if (inducedDocuments(structureOptions(corpus)).length === 0) return corpus;
      const request = structureRequest(home, structureOptions(corpus), how("structure"));
      const build = await runBuild(prepare(request));
      try {
        settle(build.manifest);
        return await writeInducedCorpus(corpus, build, {
          corporaFolder: join(home, "corpora"),
          splitMarkdown: true,
        });
      } finally {
        await build.close();
      }
    },
    async metadata(corpus) {
      prepare(metadataRequest(home, metadataOptions(corpus), how("metadata")));
      const built = await buildMetadata(home, metadataOptions(corpus), how("metadata"));
      settle(built.manifest);
      return built;
    },
    context: (method, dataset, shared) => ({
      ...shared,
      model,
      folder: join(home, "builds", artefactOf(method, shared, model)),
      signal: io.signal,
      concurrency: config.limits.concurrency,
      force,
      progress: methodProgress(progressLine(io), `${dataset}: ${method.title}`),
    }),
    forecastStructure: (corpus) =>
      forecastBuild(prepare(structureRequest(home, structureOptions(corpus), how("structure")))),
    forecastMetadata: (corpus) =>
      forecastBuild(prepare(metadataRequest(home, metadataOptions(corpus), how("metadata")))),
  };
}

/** Folder name of a method's artefacts: the same whatever run asks for them. */
function artefactOf(method: Method, shared: SharedResources, model: ChatModel): string {
  return fingerprint({
    method: method.name,
    build: method.buildFingerprint?.(shared) ?? method.fingerprint,
    corpus: shared.corpus.summary.hash,
    model: model.fingerprint,
  });
}

function methodProgress(line: ProgressLine, name: string): BuildContext["progress"] {
  return (done, total, unit) => {
    line.update(`${name} ${unit} ${integer(done)}/${integer(total)}`);
    if (done >= total) line.finish();
  };
}

/** Money that all calls for these artefacts have cost; null = a price is unknown. */
export function buildSpend(builds: readonly BuildManifest[]): number | null {
  return builds.reduce<number | null>((sum, { ledger }) => {
    const spent = spentUsd(ledger);
    return sum === null || spent === null ? null : sum + spent;
  }, 0);
}
