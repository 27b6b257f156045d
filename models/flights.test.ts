import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createFlights } from "./flights.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe("single flight", () => {
  it("makes 50 identical calls one, and tells the 49 that joined", async () => {
    const flights = createFlights<string>();
    const work = deferred<string>();
    let started = 0;
    const calls = Array.from({ length: 50 }, () =>
      flights.fly("k", never, () => {
        started += 1;
        return work.promise;
      }),
    );
    work.resolve("reply");
    const results = await Promise.all(calls);
    expect(started).toBe(1);
    expect(results.filter((r) => r.joined)).toHaveLength(49);
    expect(new Set(results.map((r) => r.value))).toEqual(new Set(["reply"]));
  });

  it("shows a failure to everybody and forgets it", async () => {
    const flights = createFlights<string>();
    const calls = Array.from({ length: 50 }, () =>
      flights.fly("k", never, () => Promise.reject(new Error("down"))),
    );
    const ends = await Promise.allSettled(calls);
    expect(ends.every((e) => e.status === "rejected" && e.reason.message === "down")).toBe(true);
    await flights.settled();
    expect(await flights.fly("k", never, async () => "up")).toEqual({ value: "up", joined: false });
  });

  it("goes on for the others when one leaves, and is cancelled when all have left", async () => {
    const flights = createFlights<string>();
    const work = deferred<string>();
    let cancelled = false;
    const start = (signal: AbortSignal) => {
      signal.addEventListener("abort", () => {
        cancelled = true;
        work.reject(new Error("cancelled"));
      });
      return work.promise;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flights.fly("k", one.signal, start);
    const second = flights.fly("k", two.signal, start);
    one.abort(new Error("one left"));
    await expect(first).rejects.toThrow("one left");
    expect(cancelled).toBe(false);
    two.abort(new Error("two left"));
    await expect(second).rejects.toThrow("two left");
    expect(cancelled).toBe(true);
    await flights.settled();
  });

  it("still answers while the reply is being stored", async () => {
    const flights = createFlights<string>();
    const stored = deferred<void>();
    const start = async (_: AbortSignal, landed: (until: Promise<void>) => void) => {
      landed(stored.promise);
      return "first";
    };
    expect(await flights.fly("k", never, start)).toEqual({ value: "first", joined: false });
    const late = await flights.fly("k", never, async () => "second");
    expect(late).toEqual({ value: "first", joined: true });
    stored.resolve();
    await flights.settled();
    expect((await flights.fly("k", never, async () => "third")).value).toBe("third");
  });
});
