import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../../core/model.ts";
import { noUsage } from "../../core/usage.ts";
import { fullPrompts } from "./prompts.ts";
import { createTracer } from "./tracer.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

function traceOf(calls: readonly { prompt: readonly ChatMessage[]; reply: string }[]) {
  const tracer = createTracer(() => 0);
  for (const { prompt, reply } of calls) {
    tracer.emit({
      type: "model_call",
      task: "t",
      role: "answer",
      model: "m",
      messages: prompt,
      carriedMessages: 0,
      reply,
      stopReason: "stop",
      usage: noUsage,
    });
  }
  return tracer.events;
}

describe("tracer", () => {
  test("stores each message of a growing conversation once, the reply included", () => {
    const first = [user("q")];
    const second = [...first, assistant("r1"), user("more")];
    const events = traceOf([
      { prompt: first, reply: "r1" },
      { prompt: second, reply: "r2" },
    ]);
    expect(events).toMatchObject([
      { carriedMessages: 0, messages: first },
      { carriedMessages: 2, messages: [user("more")] },
    ]);
    expect(events[1]).not.toHaveProperty("carriedFrom");
  });

  test("names the earlier call when two conversations take turns", () => {
    const events = traceOf([
      { prompt: [user("agent")], reply: "a1" },
      { prompt: [user("planner")], reply: "p1" },
      { prompt: [user("agent"), assistant("a1"), user("go on")], reply: "a2" },
    ]);
    expect(events[2]).toMatchObject({
      carriedFrom: 0,
      carriedMessages: 2,
      messages: [user("go on")],
    });
  });

  test("gives time since the start of the question", () => {
    let now = 1000;
    const tracer = createTracer(() => now);
    now = 1025;
    tracer.emit({ type: "note", note: "n" });
    expect(tracer.events[0]!.atMs).toBe(25);
  });

  test("whole prompts can be had back, whatever the conversations do", () => {
    const message = fc.constantFrom(user("a"), user("b"), assistant("a"), assistant("b"));
    const call = fc.record({
      prompt: fc.array(message, { minLength: 1, maxLength: 5 }),
      reply: fc.constantFrom("a", "b"),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        expect(fullPrompts(traceOf(calls))).toEqual(calls.map(({ prompt }) => prompt));
      }),
    );
  });
});
