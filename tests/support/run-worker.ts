import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { executeRun } from "../../pipelines/run/execute.ts";
import { openToyStore, toyMethod, toyPlan } from "./run-fixture.ts";

/**
 * A run in a process of its own, for tests that kill it: 20 questions, one at a time, each generation noted in
 * `generations.txt`. With a second argument the process kills itself while it answers that many-and-first question.
 */
const [runsFolder = "", killAfter = ""] = process.argv.slice(2);
let generations = 0;
const method = toyMethod((id) => {
  if (killAfter !== "" && generations === Number(killAfter)) process.kill(process.pid, "SIGKILL");
  generations++;
  appendFileSync(join(runsFolder, "generations.txt"), `${id}\n`);
  return `gold ${id}`;
});
const plan = toyPlan({ method, count: 20 });
const store = await openToyStore(runsFolder, plan);
await executeRun({ plan, store, concurrency: 1, signal: new AbortController().signal });
store.close();
