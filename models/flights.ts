/**
 * Identical calls under way at the same time become one. The shared work is cancelled only when
 * everybody who waits for it has left.
 */
export interface Flights<T> {
  /**
   * Joins the call with this key or starts it. `joined` tells a later comer that somebody else's
   * call answers it. A failure reaches everybody.
   */
  fly(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal, landed: (until: Promise<void>) => void) => Promise<T>,
  ): Promise<{ value: T; joined: boolean }>;
  /** Resolves when every flight and what it keeps open has ended. */
  settled(): Promise<void>;
}

interface Flight<T> {
  work: Promise<T>;
  controller: AbortController;
  aboard: number;
  /** Work after the reply (a cache write) during which the flight still answers. */
  closing: Promise<void>;
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  const launch: (key: string, start: Parameters<Flights<T>["fly"]>[2]) => Flight<T> = (
    key,
    start,
  ) => {
    const controller = new AbortController();
    let closing: Promise<void> = Promise.resolve();
    const work = start(controller.signal, (until) => {
      closing = until;
    });
    const flight: Flight<T> = { work, controller, aboard: 0, closing };
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.closing = work.then(
      () => closing.then(end, end),
      () => end(),
    );
    flights.set(key, flight);
    return flight;
  };

  return {
    async fly(key, signal, start) {
      signal.throwIfAborted();
      const running = flights.get(key);
      const flight = running ?? launch(key, start);
      flight.aboard += 1;
      let leave = () => {};
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
      });
      try {
        const value = await Promise.race([flight.work, left]);
        return { value, joined: running !== undefined };
      } finally {
        signal.removeEventListener("abort", leave);
        flight.aboard -= 1;
        if (flight.aboard === 0 && signal.aborted) {
          flights.delete(key);
          flight.controller.abort(signal.reason);
        }
      }
    },
    async settled() {
      await Promise.all([...flights.values()].map((flight) => flight.closing));
    },
  };
}
