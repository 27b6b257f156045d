import { inputTokens } from "../core/usage.ts";
import {
  type BuildForecast,
  type BuildManifest,
  buildMark,
  type Estimate,
} from "../pipelines/builds/index.ts";
import { dollars, duration, integer, seconds } from "../reports/table/format.ts";
import type { Row, Table } from "../reports/table/table.ts";
import type { Config } from "./config/schema.ts";

/** One row a build: what it made and what all its calls have cost. */
export function buildRows(builds: readonly BuildManifest[]): Row[] {
  return builds.map((build) => {
    const { what, counts, ledger, offline } = build;
    return {
      kind: what.kind,
      model: what.model.id,
      offline,
      units: counts.total,
      unit: build.unit,
      extracted: counts.extracted,
      failed: counts.failed,
      empty: counts.empty,
      blank: counts.blank,
      calls: ledger.calls,
      inputTokens: inputTokens(ledger.live),
      outputTokens: ledger.live.outputTokens,
      costUsd: ledger.live.costUsd ?? "unknown",
      llmMs: ledger.live.llmMs,
      mark: buildMark(build) ?? null,
      fingerprint: build.fingerprint,
    };
  });
}

const RIGHT = { align: "right" } as const;

export function buildsTable(name: string, rows: readonly Row[]): Table {
  return {
    title: `Builds of ${name}`,
    columns: [
      { key: "kind", label: "Build" },
      { key: "model", label: "Model", wrap: true },
      {
        key: "units",
        label: "Units",
        ...RIGHT,
        format: (units, row) => `${integer(units)} ${row.unit}s`,
      },
      { key: "extracted", label: "Made", ...RIGHT, format: integer },
      { key: "failed", label: "Failed", ...RIGHT, format: integer },
      { key: "empty", label: "Empty", ...RIGHT, format: integer, dispensable: 2 },
      { key: "calls", label: "Calls", ...RIGHT, format: integer },
      { key: "inputTokens", label: "Tokens in", ...RIGHT, format: integer, dispensable: 1 },
      { key: "outputTokens", label: "out", ...RIGHT, format: integer, dispensable: 1 },
      { key: "costUsd", label: "Cost", ...RIGHT, format: dollars },
      { key: "llmMs", label: "LLM time", ...RIGHT, format: seconds, dispensable: 3 },
    ],
    rows,
    notes: [
      "Calls, tokens and cost are all that was ever made for the artefact; opening it again costs nothing.",
      ...(rows.some(({ offline }) => offline)
        ? ["An offline model made these: a stand-in, not a language model."]
        : []),
      ...rows.flatMap(({ kind, mark, fingerprint }) =>
        mark === null ? [] : [`${kind} ${fingerprint}: ${mark}`],
      ),
      ...(rows.length === 0
        ? [
            "Nothing to build: set metadata: build or builds.structure: induced, or choose a method with a build.",
          ]
        : []),
    ],
  };
}

/** One row a forecast, every estimate with its interval. */
export function forecastRows(
  forecasts: readonly { dataset: string; forecast: BuildForecast }[],
): Row[] {
  return forecasts.map(({ dataset, forecast }) => ({
    dataset,
    kind: forecast.manifest.what.kind,
    model: forecast.manifest.what.model.id,
    units: forecast.total,
    measured: forecast.measured,
    ...estimate("calls", forecast.calls),
    ...estimate("inputTokens", forecast.inputTokens),
    ...estimate("outputTokens", forecast.outputTokens),
    ...(forecast.costUsd === null ? { costUsd: "unknown" } : estimate("costUsd", forecast.costUsd)),
    restSeconds: forecast.restWallMs === null ? null : forecast.restWallMs / 1000,
  }));
}

function estimate(name: string, { value, low, high }: Estimate): Row {
  return { [name]: value, [`${name}Low`]: low, [`${name}High`]: high };
}

export function forecastsTable({ name }: Config, rows: readonly Row[]): Table {
  const range = (key: string, format: (value: number) => string) => (_: unknown, row: Row) => {
    const [value, low, high] = [row[key], row[`${key}Low`], row[`${key}High`]];
    if (typeof value !== "number") return String(value);
    if (typeof low !== "number" || typeof high !== "number") return format(value);
    return `${format(value)} (${format(low)}–${format(high)})`;
  };
  return {
    title: `Forecast of the builds of ${name}`,
    columns: [
      { key: "dataset", label: "Data set" },
      { key: "kind", label: "Build" },
      { key: "units", label: "Units", ...RIGHT, format: integer },
      { key: "measured", label: "Measured", ...RIGHT, format: integer },
      { key: "calls", label: "Calls", ...RIGHT, format: range("calls", integer) },
      {
        key: "inputTokens",
        label: "Tokens in",
        ...RIGHT,
        format: range("inputTokens", integer),
        dispensable: 1,
      },
      { key: "costUsd", label: "Cost", ...RIGHT, format: range("costUsd", dollars) },
      {
        key: "restSeconds",
        label: "Time left",
        ...RIGHT,
        format: (value) => duration(Number(value)),
      },
    ],
    rows,
    notes: [
      "Whole builds, with 95% intervals from the measured units, which are part of the build and are not paid again.",
      "The metadata of induced trees is forecast on the trees as they are now; the graphs of methods are not forecast.",
    ],
  };
}
