import type { Analyzer } from "./analyzer.ts";
import { createTermTable, HASH_PRIME, HASH_SEED, hashBytes, type TermTable } from "./term-table.ts";
import { isRunCharacter, wordsOfRun } from "./words.ts";

/** Cuts texts into term ids without making a string per token. Same terms as `Analyzer.terms`. */
export interface ByteScanner {
  /** Term ids of the last scanned text stand in `[0, count)` of this array; it is replaced as it grows. */
  readonly out: Uint32Array;
  /** Scans one text and returns its number of terms. */
  scan(text: string | Uint8Array): number;
}

const SEPARATOR = 0;
/** First byte of a character outside ASCII: needs the slow path. */
const WIDE = 1;

/** @param terms Table that receives every new term, in order of first appearance. */
export function createByteScanner(analyzer: Analyzer, terms: TermTable): ByteScanner {
  const lowercase = analyzer.config.lowercase;
  const classes = asciiClasses(lowercase);
  const surfaces = analyzer.plain ? terms : createTermTable();
  const wideRuns = createWideRuns(analyzer, terms);
  /** Term id of each ASCII word seen, -1 = left out; unused when every word is its own term. */
  const termOf: number[] = [];
  let encoded = Buffer.allocUnsafe(1 << 14);
  let scratch = new Uint8Array(1 << 14);
  let out = new Uint32Array(1 << 13);

  function reserve(byteCount: number): void {
    if (scratch.length >= byteCount) return;
    scratch = new Uint8Array(byteCount * 2);
  }

  function resolve(surface: number): number {
    if (surface === termOf.length) {
      const term = analyzer.term(surfaces.text(surface));
      termOf.push(term === undefined ? -1 : terms.internText(term));
    }
    return termOf[surface]!;
  }

  function scanBytes(bytes: Uint8Array, length: number): number {
    reserve(length);
    let count = 0;
    let i = 0;
    while (i < length) {
      let c = classes[bytes[i]!]!;
      if (c === SEPARATOR) {
        i++;
        continue;
      }
      const start = i;
      let hash = HASH_SEED;
      let n = 0;
      while (c > WIDE) {
        scratch[n++] = c;
        hash = Math.imul(hash ^ c, HASH_PRIME);
        i++;
        c = i < length ? classes[bytes[i]!]! : SEPARATOR;
      }
      if (c === WIDE) {
        const end = endOfRun(bytes, length, i, classes);
        if (end > i) {
          i = end;
          const ids = wideRuns.termsOf(bytes, start, end);
          if (count + ids.length > out.length) out = growTo(out, count + ids.length);
          for (let j = 0; j < ids.length; j++) out[count++] = ids[j]!;
          continue;
        }
        i += 1;
        if (n === 0) continue;
      }
      let id = surfaces.intern(scratch, n, hash);
      if (surfaces !== terms) {
        id = resolve(id);
        if (id < 0) continue;
      }
      if (count === out.length) out = growTo(out, count + 1);
      out[count++] = id;
    }
    return count;
  }

  return {
    get out() {
      return out;
    },
    scan(text) {
      if (typeof text !== "string") return scanBytes(text, text.length);
      if (encoded.length < text.length * 3) encoded = Buffer.allocUnsafe(text.length * 6);
      return scanBytes(encoded, encoded.write(text, "utf8"));
    },
  };
}

/** 0 = ends a word, 1 = outside ASCII, else the byte that goes into the term. */
function asciiClasses(lowercase: boolean): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0x80; byte < 256; byte++) classes[byte] = WIDE;
  for (let digit = 0x30; digit <= 0x39; digit++) classes[digit] = digit;
  for (let letter = 0x61; letter <= 0x7a; letter++) {
    classes[letter] = letter;
    classes[letter - 32] = lowercase ? letter : letter - 32;
  }
  return classes;
}

/** End of the run that goes on at byte `i`; `i` itself when the character there does not belong to one. */
function endOfRun(bytes: Uint8Array, length: number, i: number, classes: Uint8Array): number {
  let end = i;
  while (end < length) {
    const c = classes[bytes[end]!]!;
    if (c === SEPARATOR) break;
    if (c > WIDE) {
      end++;
      continue;
    }
    const codePoint = decodeAt(bytes, length, end);
    if (codePoint < 0 || !continuesRun(codePoint)) break;
    end += codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return end;
}

/** 0 = not asked yet, 1 = continues a run, 2 = does not. */
const runCharacters = new Uint8Array(0x110000);

function continuesRun(codePoint: number): boolean {
  let known = runCharacters[codePoint]!;
  if (known === 0) {
    known = isRunCharacter(codePoint) ? 1 : 2;
    runCharacters[codePoint] = known;
  }
  return known === 1;
}

/** Code point of the UTF-8 sequence at `i`, or -1 where the bytes are not valid UTF-8. */
function decodeAt(bytes: Uint8Array, length: number, i: number): number {
  const a = bytes[i]!;
  const b = i + 1 < length ? bytes[i + 1]! ^ 0x80 : 0x80;
  if (a < 0xc2 || a > 0xf4 || b > 0x3f) return -1;
  if (a < 0xe0) return ((a & 0x1f) << 6) | b;
  const c = i + 2 < length ? bytes[i + 2]! ^ 0x80 : 0x80;
  if (c > 0x3f) return -1;
  if (a < 0xf0) {
    const codePoint = ((a & 0x0f) << 12) | (b << 6) | c;
    return codePoint < 0x800 || (codePoint >= 0xd800 && codePoint < 0xe000) ? -1 : codePoint;
  }
  const d = i + 3 < length ? bytes[i + 3]! ^ 0x80 : 0x80;
  if (d > 0x3f) return -1;
  const codePoint = ((a & 0x07) << 18) | (b << 12) | (c << 6) | d;
  return codePoint < 0x10000 || codePoint > 0x10ffff ? -1 : codePoint;
}

/** Runs with a character outside ASCII: normalised as strings once per distinct run. */
function createWideRuns(analyzer: Analyzer, terms: TermTable) {
  const runs = createTermTable();
  const termsOfRun: (readonly number[])[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    termsOf(bytes: Uint8Array, start: number, end: number): readonly number[] {
      const run = bytes.subarray(start, end);
      const id = runs.intern(run, run.length, hashBytes(run, run.length));
      if (id === termsOfRun.length) {
        termsOfRun.push(
          wordsOfRun(decoder.decode(run), analyzer.config.lowercase).flatMap((word) => {
            const term = analyzer.term(word);
            return term === undefined ? [] : [terms.internText(term)];
          }),
        );
      }
      return termsOfRun[id]!;
    },
  };
}

function growTo(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const bigger = new Uint32Array(Math.max(array.length * 2, length));
  bigger.set(array);
  return bigger;
}
