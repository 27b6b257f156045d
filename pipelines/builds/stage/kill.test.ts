import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { openBuild } from "./run-build.ts";

const worker = fileURLToPath(new URL("../../../tests/support/build-worker.ts", import.meta.url));

/** Runs the worker to its end, or kills it once it has made so many calls; gives the signal that ended it. */
function run(folder: string, concurrency: number, kill?: { itselfAfter?: number; at?: number }) {
  const own = kill?.itselfAfter === undefined ? [] : [String(kill.itselfAfter)];
  const child = spawn(
    process.execPath,
    ["--import", "tsx", worker, folder, String(concurrency), ...own],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const watch = setInterval(() => {
    if (kill?.at !== undefined && callsIn(folder).length >= kill.at) child.kill("SIGKILL");
  }, 2);
  return new Promise<NodeJS.Signals | null>((resolve) => {
    child.on("exit", (_, signal) => {
      clearInterval(watch);
      resolve(signal);
    });
  });
}

function callsIn(folder: string): string[] {
  const path = join(folder, "calls.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

async function resultOf(folder: string) {
  const build = openBuild<string[]>(join(folder, "build"));
  const values = Array.from({ length: 10 }, (_, i) => build.get(`u${i}`)?.value?.join(""));
  await build.close();
  return { values, manifest: build.manifest };
}

const whole = Array.from({ length: 10 }, (_, i) => `U${i}AU${i}BU${i}C`);

test("kill -9 between and inside units: every call is made once, the result is whole", async () => {
  const folder = temporaryFolder();
  for (const itselfAfter of [7, 11]) {
    expect(await run(folder, 1, { itselfAfter })).toBe("SIGKILL");
  }
  expect(await run(folder, 1)).toBeNull();
  const calls = callsIn(folder);
  expect(calls).toHaveLength(30);
  expect(new Set(calls).size).toBe(30);
  const { values, manifest } = await resultOf(folder);
  expect(values).toEqual(whole);
  expect(manifest).toMatchObject({
    status: "finished",
    counts: { extracted: 10 },
    ledger: { calls: 30, live: { outputTokens: 30 } },
  });
});

test("kill -9 from outside with calls in flight: at most those are made again", async () => {
  const folder = temporaryFolder();
  expect(await run(folder, 4, { at: 9 })).toBe("SIGKILL");
  expect(await run(folder, 4)).toBeNull();
  const calls = callsIn(folder);
  expect(new Set(calls).size).toBe(30);
  expect(calls.length - 30).toBeLessThanOrEqual(4);
  const { values, manifest } = await resultOf(folder);
  expect(values).toEqual(whole);
  expect(manifest.ledger.calls).toBe(30);
});
