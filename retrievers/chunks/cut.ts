import { nextSeam, type Tokenizer } from "../tokenizer/tokenizer.ts";

export interface CutOptions {
  /** Content pieces a chunk holds at most. */
  maxTokens: number;
  /** Content pieces a chunk repeats from the end of the one before; 0 = none (A2). */
  overlapTokens: number;
  /** `sentence` moves a cut back to the end of a sentence in the second half of the chunk; the paper cuts hard. */
  snap: "none" | "sentence";
}

/** `[start, end)` in UTF-16 units and the content pieces of exactly that slice. */
export interface Cut {
  start: number;
  end: number;
  tokens: number;
}

/** A stretch that is never taken apart unless it alone is too long. */
interface Piece extends Cut {
  /** Begins inside a word that was too long: its count does not add up with that of the piece before. */
  inWord?: boolean;
}

const SENTENCE_END = /(?:[.!?。！？]["'”’)\]]*|\n)\s*$/;

/**
 * Cuts a text into slices of at most `maxTokens` content pieces, counted on the slice itself. Without overlap
 * the slices joined are the text. Cuts fall between words; a word that alone is too long is cut between code
 * points. A text of blanks alone gives no slice.
 */
export function* cutText(text: string, tokenizer: Tokenizer, options: CutOptions): Generator<Cut> {
  if (!/\S/.test(text)) return;
  if (tokenizer.seams === "none") yield* cutByCounting(text, tokenizer, options);
  else yield* cutAtSeams(text, tokenizer, options);
}

/** One pass: the counts of the pieces add up (see `Seams`). */
function* cutAtSeams(text: string, tokenizer: Tokenizer, options: CutOptions): Generator<Cut> {
  const { maxTokens, overlapTokens, snap } = options;
  let held: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces(text, tokenizer, maxTokens)) {
    if (piece.inWord === true) {
      yield joined(held);
      held = [];
      tokens = 0;
    }
    while (held.length > 0 && tokens + piece.tokens > maxTokens) {
      const cut = snap === "sentence" ? sentenceCut(text, held, tokens) : held.length;
      yield joined(held.slice(0, cut));
      held = held.slice(carryFrom(held, cut, overlapTokens, maxTokens - piece.tokens));
      tokens = held.reduce((sum, { tokens }) => sum + tokens, 0);
    }
    held.push(piece);
    tokens += piece.tokens;
  }
  if (held.length > 0) yield joined(held);
}

function* pieces(text: string, tokenizer: Tokenizer, maxTokens: number): Generator<Piece> {
  for (let start = 0; start < text.length; ) {
    const end = nextSeam(text, start, text.length, tokenizer.seams);
    const tokens = tokenizer.count(text.slice(start, end));
    if (tokens <= maxTokens) yield { start, end, tokens };
    else yield* forcedCuts(text, start, end, tokenizer, maxTokens);
    start = end;
  }
}

function* forcedCuts(
  text: string,
  from: number,
  end: number,
  tokenizer: Tokenizer,
  maxTokens: number,
): Generator<Piece> {
  for (let start = from; start < end; ) {
    const piece = longestFit(text, start, end, tokenizer, maxTokens);
    yield { ...piece, inWord: start > from };
    start = piece.end;
  }
}

/** For tokenizers without seams: every slice is counted as a whole and moved back to a word's start. */
function* cutByCounting(text: string, tokenizer: Tokenizer, options: CutOptions): Generator<Cut> {
  const { maxTokens, overlapTokens } = options;
  let covered = 0;
  for (let start = 0; start < text.length; ) {
    let cut = longestFit(text, start, text.length, tokenizer, maxTokens);
    if (cut.end < text.length) cut = movedBack(text, cut, covered, tokenizer, options);
    yield cut;
    if (cut.end === text.length) return;
    covered = cut.end;
    start = overlapTokens === 0 ? cut.end : overlapStart(text, cut, tokenizer, overlapTokens);
  }
}

/** The joined pieces as one slice. */
function joined(held: readonly Piece[]): Cut {
  return {
    start: held[0]!.start,
    end: held.at(-1)!.end,
    tokens: held.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** How many pieces to keep so that the chunk ends with a sentence; all of them when no sentence ends in its second half. */
function sentenceCut(text: string, held: readonly Piece[], tokens: number): number {
  let kept = tokens;
  for (let count = held.length; count > 0 && kept * 2 >= tokens; count--) {
    const { start, end } = held[count - 1]!;
    const nextStart = text.slice(end, end + 8);
    if (SENTENCE_END.test(text.slice(start, end)) || /^[ \t]*[\r\n]/.test(nextStart)) return count;
    kept -= held[count - 1]!.tokens;
  }
  return held.length;
}

/**
 * Index of the first piece that the next chunk starts with: what the cut left over, and before it whole
 * pieces up to the overlap, as far as the next piece still finds room. At least one piece is dropped.
 */
function carryFrom(held: readonly Piece[], cut: number, overlap: number, room: number): number {
  let left = held.slice(cut).reduce((sum, { tokens }) => sum + tokens, 0);
  let first = cut;
  for (let repeated = 0; first > 1; first--) {
    const { tokens } = held[first - 1]!;
    if (repeated + tokens > overlap || left + tokens > room) break;
    repeated += tokens;
    left += tokens;
  }
  return first;
}

/**
 * The longest prefix of `text[start, end)`, to within 2% of the limit, that has at most `maxTokens` pieces; at
 * least one code point. Guesses by density, then halves.
 */
function longestFit(
  text: string,
  start: number,
  end: number,
  tokenizer: Tokenizer,
  maxTokens: number,
): Cut {
  const enough = maxTokens - Math.floor(maxTokens / 50);
  let fits: Cut = { start, end: start, tokens: 0 };
  let tooLong = end + 1;
  let guess = start + maxTokens * 4;
  for (;;) {
    const at = codePointEnd(text, Math.min(end, Math.max(guess, fits.end + 1), tooLong - 1));
    if (at <= fits.end || at >= tooLong) break;
    const tokens = tokenizer.count(text.slice(start, at));
    if (tokens > maxTokens) {
      tooLong = at;
      guess = start + Math.floor(((at - start) * maxTokens * 0.99) / tokens);
      if (guess <= fits.end) guess = (fits.end + at) >> 1;
      continue;
    }
    fits = { start, end: at, tokens };
    if (at === end || tokens >= enough) break;
    guess = tooLong > end ? start + Math.max((at - start) * 2, 16) : (at + tooLong) >> 1;
  }
  if (fits.end > start) return fits;
  const first = codePointEnd(text, start + 1);
  return { start, end: first, tokens: tokenizer.count(text.slice(start, first)) };
}

/** `at`, or one further when it would fall inside a surrogate pair. */
function codePointEnd(text: string, at: number): number {
  return isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))
    ? at + 1
    : at;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/**
 * The cut moved back to the start of a word (or the end of a sentence) in its second half, where there is one
 * behind what the chunk before already covered.
 */
function movedBack(
  text: string,
  cut: Cut,
  covered: number,
  tokenizer: Tokenizer,
  { maxTokens, snap }: CutOptions,
): Cut {
  const middle = Math.max(covered, cut.start + Math.ceil((cut.end - cut.start) / 2));
  const wanted = (at: number): boolean =>
    snap === "sentence"
      ? SENTENCE_END.test(text.slice(Math.max(middle, at - 8), at)) && /\s/.test(text[at]!)
      : /\s/.test(text[at]!) && /\S/.test(text[at - 1]!);
  for (let at = cut.end; at > middle; at--) {
    if (!wanted(at)) continue;
    const tokens = tokenizer.count(text.slice(cut.start, at));
    return tokens <= maxTokens ? { start: cut.start, end: at, tokens } : cut;
  }
  return cut;
}

/** Start of the chunk after `cut`: the earliest word start whose tail of the cut has at most `overlap` pieces. */
function overlapStart(text: string, cut: Cut, tokenizer: Tokenizer, overlap: number): number {
  let start = cut.end;
  for (let at = cut.end - 1; at > cut.start; at--) {
    if (!(/\s/.test(text[at]!) && /\S/.test(text[at - 1]!))) continue;
    if (tokenizer.count(text.slice(at, cut.end)) > overlap) break;
    start = at;
  }
  return start;
}
