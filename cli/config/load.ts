import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { nearMiss, RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { packageFile } from "../../core/package-file.ts";
import { knownKeys } from "./known-keys.ts";
import { type Config, configSchema } from "./schema.ts";

/** One `path.to.key=value` of the command line; the value is read as YAML. */
export interface Override {
  path: string;
  value: Json;
  /** The flag it came from, for messages. */
  flag: string;
}

/**
 * Reads an experiment, applies overrides and fills in defaults. `name` is a path, or a file of the package's
 * `configs/` (`configs/quickstart.yaml`).
 *
 * @throws RitbenchError E_CONFIG_MISSING, E_CONFIG_YAML, E_CONFIG_FIELD (names the config path and a near miss).
 */
export function loadConfig(name: string, cwd: string, overrides: readonly Override[]): Config {
  return parseConfig(readYaml(name, cwd), name, overrides);
}

/** {@link loadConfig} from a value already read. */
export function parseConfig(value: unknown, where: string, overrides: readonly Override[]): Config {
  const merged = overrides.reduce(applyOverride, structuredClone(value));
  const result = configSchema.safeParse(merged);
  if (result.success) return result.data;
  throw fieldError(result.error.issues[0]!, where, merged, configSchema);
}

/** A YAML file by its path, or one that ships. */
export function readYaml(name: string, cwd: string): unknown {
  const text = readConfigFile(name, cwd);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw new RitbenchError("E_CONFIG_YAML", fault.message.split("\n")[0] ?? "not YAML", {
      where: `${name}:${fault.linePos?.[0].line ?? 1}`,
      next: "mend the YAML at that line",
    });
  }
  return document.toJS() as unknown;
}

function readConfigFile(name: string, cwd: string): string {
  const candidates = isAbsolute(name) ? [name] : [join(cwd, name), packageFile(name)];
  for (const path of candidates) {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw new RitbenchError("E_CONFIG_MISSING", "the config cannot be read", {
          where: path,
          got: (error as Error).message,
        });
      }
    }
  }
  throw new RitbenchError("E_CONFIG_MISSING", "there is no such config file", {
    where: name,
    next: "give the path of a YAML file, or one that ships: configs/quickstart.yaml",
  });
}

function applyOverride(config: unknown, { path, value, flag }: Override): unknown {
  const keys = path.split(".");
  const root = isRecord(config) ? config : {};
  let at = root;
  for (const [depth, key] of keys.slice(0, -1).entries()) {
    if (at[key] === undefined) at[key] = {};
    const next = at[key];
    if (!isRecord(next) && !Array.isArray(next)) {
      throw new RitbenchError(
        "E_CONFIG_FIELD",
        `${flag} reaches into a value that is not a table`,
        {
          where: keys.slice(0, depth + 1).join("."),
          got: JSON.stringify(next),
        },
      );
    }
    at = next as Record<string, unknown>;
  }
  at[keys.at(-1)!] = value;
  return root;
}

/** One sentence for the first fault that zod found: config path, what was expected, what was there, a near miss. */
export function fieldError(
  issue: z.core.$ZodIssue,
  where: string,
  value: unknown,
  schema: z.ZodType,
  prefix: readonly PropertyKey[] = [],
): RitbenchError {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const known = knownKeys(schema, issue.path);
    const near = nearMiss(key, known);
    return new RitbenchError("E_CONFIG_FIELD", `unknown field ${[...path, key].join(".")}`, {
      where,
      expected: `one of ${known.join(", ")}`,
      next: near === undefined ? "remove it or correct its name" : `did you mean ${near}?`,
    });
  }
  if (issue.code === "invalid_union") {
    const deepest = issue.errors
      .flat()
      .sort((a, b) => b.path.length - a.path.length || depthOf(b) - depthOf(a))[0];
    if (
      deepest !== undefined &&
      (deepest.path.length > 0 || deepest.code === "unrecognized_keys")
    ) {
      return fieldError(deepest, where, at(value, issue.path), schema, path);
    }
  }
  const got = at(value, issue.path);
  return new RitbenchError("E_CONFIG_FIELD", `${path.join(".") || "the config"} is not valid`, {
    where,
    expected: issue.message,
    got: got === undefined ? "nothing" : JSON.stringify(got),
  });
}

function depthOf(issue: z.core.$ZodIssue): number {
  return issue.code === "unrecognized_keys" ? 1 : 0;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
