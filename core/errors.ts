/** What a person needs to mend a mistake: every field is one plain sentence or value. */
export interface ErrorDetails {
  /** File, config path, flag or address where the fault lies. */
  where?: string;
  expected?: string;
  got?: string;
  /** The next step: a command or a change to make. */
  next?: string;
  cause?: unknown;
}

/**
 * A fault that its reader can mend (bad input, a missing file, an impossible request). Printed
 * without a stack trace; `code` is stable and is what scripts and tests look at.
 *
 * @example throw new RitbenchError("E_DATA_MISSING", "questions.jsonl is absent", { where: path, next: "ritbench data fetch wixqa" })
 */
export class RitbenchError extends Error {
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, what: string, details: ErrorDetails = {}) {
    super(what, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "RitbenchError";
    this.code = code;
    this.details = details;
  }
}

/**
 * The lines a terminal shows for a {@link RitbenchError}: code and what, then where / expected / got / next.
 *
 * @example catch (error) { if (error instanceof RitbenchError) console.error(formatError(error)); }
 */
export function formatError(error: RitbenchError): string {
  const { where, expected, got, next } = error.details;
  const rows: [string, string | undefined][] = [
    ["where", where],
    ["expected", expected],
    ["got", got],
    ["next", next],
  ];
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${`${label}:`.padEnd(10)}${value}`],
  );
  return [`${error.code}: ${error.message}`, ...lines].join("\n");
}

/** Message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The nearest of `candidates` to a misspelt `word` (edit distance at most 1/3 of its length, at least 2), for "did you mean". */
export function nearMiss(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, substitution));
    }
    previous = row;
  }
  return previous[b.length]!;
}
