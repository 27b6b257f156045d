import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { chunkMethods } from "../wiring/methods.ts";
import { loadConfig, type Override, readYaml } from "./load.ts";
import type { Config } from "./schema.ts";

const scalar = z.union([z.number(), z.string(), z.boolean()]);

const sweepSchema = z.strictObject({
  schema: z.literal("ritbench.sweep/1"),
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, "letters, digits, dot, dash and underscore"),
  base: z.string().describe("An experiment: configs/financebench.yaml, or beside this file."),
  set: z.record(z.string(), z.unknown()).default({}).describe("Values for all points, by path."),
  grid: z
    .record(z.string(), z.array(scalar).min(1))
    .describe("n, kPrime, k, B, Bs, kappa, chunk, or any path of the config."),
});

type SweepFile = z.infer<typeof sweepSchema>;

/** One combination of values and the experiment it makes. */
export interface SweepPoint {
  /** `n=25, k=5`. */
  label: string;
  values: { readonly [parameter: string]: string | number | boolean };
  config: Config;
}

export interface Sweep {
  name: string;
  /** In the order of the file. */
  parameters: readonly string[];
  points: readonly SweepPoint[];
}

/** Where the short names of a grid lead; `k` and `B` go to every method of the base that has them. */
const SHORT_NAMES: { readonly [name: string]: readonly string[] } = {
  n: ["parameters.rit-rag.n"],
  kPrime: ["parameters.rit-rag.kPrime"],
  k: chunkMethods.map((method) => `parameters.${method}.k`),
  B: ["parameters.rit-rag.B", "parameters.agentic-search.B"],
  Bs: ["parameters.rit-rag.Bs"],
  kappa: ["retrieval.kappa"],
  chunk: ["retrieval.chunk.maxTokens"],
};

/**
 * Reads a sweep: every combination of its grid, the first parameter varying slowest. With `n` and no `kPrime`, k' = 4n
 * whatever the base says (App. K). A point's name is the base's and its values, so that each point resumes by itself.
 *
 * @throws RitbenchError E_SWEEP_FILE, and what a config can throw.
 */
export function loadSweep(path: string, cwd: string, overrides: readonly Override[] = []): Sweep {
  const result = sweepSchema.safeParse(readYaml(path, cwd));
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw new RitbenchError("E_SWEEP_FILE", "the sweep is not valid", {
      where: `${path}: ${issue.path.join(".") || "the file"}`,
      expected: issue.message,
      next: "see configs/sweeps/",
    });
  }
  const file = result.data;
  const parameters = Object.keys(file.grid);
  const common = [
    ...Object.entries(file.set).map(([at, value]) => override(at, value as Json)),
    ...overrides,
  ];
  const base = loadConfig(basePath(file, path, cwd), cwd, common);
  const points = combinations(file.grid).map((values): SweepPoint => {
    const label = parameters.map((name) => `${name}=${values[name]}`).join(", ");
    const suffix = parameters.map((name) => `${lastPart(name)}-${values[name]}`).join("-");
    const config = loadConfig(basePath(file, path, cwd), cwd, [
      ...common,
      ...parameters.flatMap((name) => settings(name, values, base)),
      override("name", `${base.name}-${file.name}-${suffix}`.replace(/[^A-Za-z0-9._-]+/g, "-")),
    ]);
    return { label, values, config };
  });
  return { name: file.name, parameters, points };
}

/** The base lies beside the sweep, in the working folder, or ships. */
function basePath({ base }: SweepFile, path: string, cwd: string): string {
  return /^\.{1,2}\//.test(base) && !isAbsolute(base)
    ? join(isAbsolute(path) ? dirname(path) : join(cwd, dirname(path)), base)
    : base;
}

function settings(name: string, values: SweepPoint["values"], { methods }: Config): Override[] {
  const paths = (SHORT_NAMES[name] ?? [name]).filter((path) => {
    const [room, method] = path.split(".");
    return room !== "parameters" || SHORT_NAMES[name] === undefined || methods.includes(method!);
  });
  if (paths.length === 0) {
    throw new RitbenchError("E_SWEEP_FILE", `no method of the base has the parameter ${name}`, {
      where: `grid.${name}`,
      got: methods.join(", "),
    });
  }
  const value = values[name]!;
  const depth =
    name === "n" && values.kPrime === undefined && typeof value === "number"
      ? [override("parameters.rit-rag.kPrime", 4 * value)]
      : [];
  return [...paths.map((path) => override(path, value)), ...depth];
}

function override(path: string, value: Json): Override {
  return { path, value, flag: "the sweep" };
}

function combinations(grid: SweepFile["grid"]): SweepPoint["values"][] {
  return Object.entries(grid).reduce<SweepPoint["values"][]>(
    (made, [name, options]) =>
      made.flatMap((values) => options.map((value) => ({ ...values, [name]: value }))),
    [{}],
  );
}

function lastPart(path: string): string {
  return path.split(".").at(-1)!;
}
