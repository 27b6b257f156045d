import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf, RitbenchError } from "../errors.ts";
import type { RunManifest } from "../record.ts";
import { RUN_FILES } from "./paths.ts";
import type { RunProblem } from "./problem.ts";

/**
 * Manifest of a run. A manifest of another version is read as far as it goes, and named.
 *
 * @throws RitbenchError E_RUN_MISSING when the folder holds no readable manifest.
 */
export function readManifest(folder: string): { manifest: RunManifest; problems: RunProblem[] } {
  const path = join(folder, RUN_FILES.manifest);
  const found = readObject(path);
  const base = { ...EMPTY, id: basename(folder) };
  if (found.schema === "ritbench.run/1") {
    const bad = badFields(found)[0];
    if (bad !== undefined) throw unreadable(path, `${bad} is ${JSON.stringify(found[bad])}`);
    return { manifest: { ...base, ...found } as RunManifest, problems: [] };
  }
  const bad = new Set<string>(badFields(found));
  const usable = Object.fromEntries(Object.entries(found).filter(([name]) => !bad.has(name)));
  const detail = `schema ${String(found.schema)}, this version reads ritbench.run/1`;
  return {
    manifest: { ...base, ...usable } as RunManifest,
    problems: [{ kind: "other_version", where: RUN_FILES.manifest, detail }],
  };
}

type Fields = { readonly [name: string]: unknown };

function readObject(path: string): Fields {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new RitbenchError("E_RUN_MISSING", "no run lies here", {
      where: path,
      expected: "a run folder with a manifest.json",
      got: messageOf(cause),
      next: "ritbench runs",
      cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, messageOf(cause));
  }
  if (isFields(value)) return value;
  throw unreadable(path, JSON.stringify(value));
}

function unreadable(path: string, got: string): RitbenchError {
  return new RitbenchError("E_RUN_MISSING", "the manifest of this run cannot be read", {
    where: path,
    expected: "the manifest.json that ritbench wrote; the records beside it may be whole",
    got: got.slice(0, 120),
    next: "put it back from a copy, or move the folder away; ritbench run --new starts another run",
  });
}

const TEXTS = ["id", "name", "programVersion", "startedAt", "updatedAt", "status"];
const LISTS = [
  ["datasets", "name"],
  ["methods", "name"],
  ["models", "id"],
  ["judges", "name"],
] as const;

/** Fields that are there and of another shape than readers rest on. */
function badFields(found: Fields): string[] {
  const lists = LISTS.filter(([field, key]) => {
    const list = found[field];
    return (
      list !== undefined &&
      !(Array.isArray(list) && list.every((e) => isFields(e) && typeof e[key] === "string"))
    );
  }).map(([field]) => field);
  const texts = TEXTS.filter((name) => name in found && typeof found[name] !== "string");
  return [...texts, ...lists];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const EMPTY: Omit<RunManifest, "id" | "identity"> = {
  schema: "ritbench.run/1",
  name: "unknown",
  identityConfig: null,
  config: null,
  programVersion: "unknown",
  startedAt: "unknown",
  updatedAt: "unknown",
  status: "interrupted",
  datasets: [],
  methods: [],
  models: [],
  judges: [],
};
