export { FAMILIES_UNIT, familiesRequest, writeFamiliesFile } from "./families/build.ts";
export { type Families, type Product, productsIn } from "./families/group.ts";
export {
  type BuiltMetadata,
  buildMetadata,
  type MetadataOptions,
  metadataRequest,
  openMetadata,
  plannedMetadataCalls,
} from "./metadata/build.ts";
export { askJson } from "./reply/ask-json.ts";
export { readJson } from "./reply/read-json.ts";
export type { Estimate } from "./stage/extrapolate.ts";
export { type BuildForecast, forecastBuild } from "./stage/forecast.ts";
export type { BuildLedger } from "./stage/ledger.ts";
export { spentUsd } from "./stage/ledger.ts";
export type { BuildCounts, BuildManifest, BuildStatus } from "./stage/manifest.ts";
export { readBuildManifest } from "./stage/manifest.ts";
export { endsBuild } from "./stage/recorded-model.ts";
export type {
  BuildRequest,
  BuildRun,
  BuildUnit,
  UnitContext,
  UnitResult,
} from "./stage/request.ts";
export { type OpenBuild, openBuild, runBuild } from "./stage/run-build.ts";
export { buildKind, buildMark, failureShare, requireSoundBuild } from "./stage/soundness.ts";
export type { UnitOutcome, UnitRecord } from "./stage/unit-store.ts";
export { type BuildWhat, buildFolder, describeBuild } from "./stage/what.ts";
export {
  inducedDocuments,
  type StructureOptions,
  structureRequest,
} from "./structure/build.ts";
export type { InducedStructure } from "./structure/induce.ts";
export type { StructureSettings } from "./structure/inducer.ts";
export {
  type InducedCorpusOptions,
  type InducedDocument,
  inducedDocument,
  writeInducedCorpus,
} from "./structure/write-corpus.ts";
