import { messageOf, RitbenchError } from "../../core/errors.ts";
import type { MethodAnswer } from "../../core/method.ts";
import { ModelError } from "../../core/model-error.ts";
import type { Usage } from "../../core/usage.ts";

/** How asking one question ended, seen from the run. */
export type Asked =
  | {
      kind: "record";
      answer: MethodAnswer;
      error?: { code: string; message: string };
      /** Where a programming fault happened, for the trace. */
      stack?: string;
      usage?: Usage;
    }
  /** The cap on spending is reached: nothing is stored, the question is asked again after a raise. */
  | { kind: "budget"; message: string }
  /** The run was stopped while the question was under way: nothing is stored. */
  | { kind: "stopped" };

const noAnswer = { answer: "", reasoning: "", sources: [] } as const;

/** Calls a method and turns whatever it throws into an outcome. */
export async function ask(
  answer: () => Promise<MethodAnswer>,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const given = await orStopped(answer(), signal);
    return { kind: "record", answer: withoutEmptyAnswer(given) };
  } catch (thrown) {
    if (signal.aborted) return { kind: "stopped" };
    const error = { code: codeOf(thrown), message: messageOf(thrown) };
    if (!(thrown instanceof ModelError)) {
      const fault = thrown instanceof Error && !(thrown instanceof RitbenchError);
      return {
        kind: "record",
        answer: { outcome: "error", ...noAnswer },
        error,
        ...(fault && thrown.stack !== undefined ? { stack: thrown.stack } : {}),
      };
    }
    if (thrown.kind === "budget") return { kind: "budget", message: thrown.message };
    const outcome = thrown.kind === "context_overflow" ? "context_overflow" : "error";
    return {
      kind: "record",
      answer: { outcome, ...noAnswer },
      error,
      ...(thrown.usage === undefined ? {} : { usage: thrown.usage }),
    };
  }
}

/** The promise's result, or a rejection as soon as the signal fires: a method that does not listen cannot hold up Ctrl-C. */
async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    promise.catch(() => {});
  }
}

/** An empty string is an outcome of its own, whatever the method thinks it is (notes 1.6). */
function withoutEmptyAnswer(given: MethodAnswer): MethodAnswer {
  const blank = given.answer.trim() === "";
  return given.outcome === "answered" && blank ? { ...given, outcome: "empty" } : given;
}

function codeOf(thrown: unknown): string {
  return thrown instanceof RitbenchError ? thrown.code : "E_CRASH";
}
