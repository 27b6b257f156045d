import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import type { RunRecord } from "../record.ts";
import type { Trace } from "../trace.ts";
import { RUN_FILES, traceFileName } from "./paths.ts";
import type { RunProblem } from "./problem.ts";

/** The events of a record; undefined, and named in `problems` where it is there but unreadable, without them. */
export function readTrace(
  folder: string,
  record: RunRecord,
  problems: RunProblem[],
): Trace | undefined {
  // The name is derived, never taken from the record: a stored name could point anywhere.
  const file = traceFileName(record);
  let text: string;
  try {
    text = readFileSync(join(folder, RUN_FILES.traces, file), "utf8");
  } catch {
    return undefined;
  }
  try {
    const trace = JSON.parse(text) as Trace;
    if (trace.schema === "ritbench.trace/1" && Array.isArray(trace.events)) return trace;
    const detail = `schema ${String(trace.schema)}`;
    problems.push({ kind: "other_version", where: `${RUN_FILES.traces}/${file}`, detail });
  } catch (error) {
    const where = `${RUN_FILES.traces}/${file}`;
    problems.push({ kind: "unreadable_trace", where, detail: messageOf(error) });
  }
  return undefined;
}
