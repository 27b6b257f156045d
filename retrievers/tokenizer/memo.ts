/** Longest text that is remembered: words recur, sentences do not. */
const MEMO_LENGTH = 40;
const MEMO_ENTRIES = 400_000;

/** Remembers the counts of short texts; forgets all of them when full, so memory stays bounded. */
export function memoisedCount(count: (text: string) => number): (text: string) => number {
  const memo = new Map<string, number>();
  return (text) => {
    if (text.length > MEMO_LENGTH) return count(text);
    const known = memo.get(text);
    if (known !== undefined) return known;
    const counted = count(text);
    if (memo.size >= MEMO_ENTRIES) memo.clear();
    memo.set(detached(text), counted);
    return counted;
  };
}

/** A slice keeps its whole parent text alive in V8; a key of the memo must not. */
function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
