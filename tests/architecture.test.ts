import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Which rooms a room may import (design.md, "Rooms"). A room may always import itself. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  datasets: ["core"],
  models: ["core"],
  retrievers: ["core", "models"],
  pipelines: ["core", "models", "retrievers"],
  "methods/rit-rag": ["core", "models", "retrievers", "pipelines"],
  baselines: ["core", "models", "retrievers", "pipelines"],
  judges: ["core", "models"],
  reports: ["core"],
  library: ["core", "datasets", "models", "retrievers", "pipelines", "methods/rit-rag"],
  configs: [],
  cli: [
    "core",
    "datasets",
    "models",
    "retrievers",
    "pipelines",
    "methods/rit-rag",
    "judges",
    "reports",
    "baselines",
  ],
};

const sources = Object.keys(allowed).flatMap(filesOf);
const imports = new Map(sources.map((path) => [path, importsOf(path)]));

describe("architecture", () => {
  it("finds the sources", () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it("has no forbidden arrow between rooms", () => {
    const forbidden = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => !mayImport(from, to)).map((to) => `${from} imports ${to}`),
    );
    expect(forbidden).toEqual([]);
  });

  it("has no circle of imports", () => {
    expect(findCircles()).toEqual([]);
  });
});

/** TypeScript files of a room as paths from the root. */
function filesOf(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => join(room, path));
}

/** Relative imports that stay at run time and those of types alike, as paths from the root. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    normalize(join(dirname(path), match[1]!)),
  );
}

/** `baselines/vanilla`, `methods/rit-rag`, else the top folder. */
function roomOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return top === "methods" || top === "baselines" ? `${top}/${second}` : top;
}

function mayImport(from: string, to: string): boolean {
  const room = roomOf(from);
  const target = roomOf(to);
  const rules = allowed[room] ?? allowed[room.split("/")[0]!];
  return (
    room === target ||
    (rules ?? []).some((allowedRoom) => `${target}/`.startsWith(`${allowedRoom}/`))
  );
}

function findCircles(): string[] {
  const circles: string[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      return;
    }
    state.set(path, "open");
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, "done");
  };
  for (const path of sources) visit(path, []);
  return circles;
}
