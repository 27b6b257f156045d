/** A figure as it stands in a text. */
export interface Figure {
  /** As written, sign included, scale left out. */
  value: number;
  /** 1, 1e3, 1e6, 1e9, 1e12 for a scale word behind it. */
  scale: number;
  percent: boolean;
  /** Decimals that carry information: `1577.00` has none. */
  decimals: number;
  /** A bare four-digit number between 1900 and 2100, most likely a year. */
  yearLike: boolean;
}

const FIGURE =
  /(\()?([-\u2212])?\s?(?:us\s?)?[$\u20ac\u00a3]?\s?([-\u2212])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s?(\))?\s?(%|percent\b|per cent\b|percentage points?\b|thousand\b|million\b|billion\b|trillion\b|mn\b|bn\b|mm\b|[mbk]\b)?/gi;

const SCALES: { readonly [word: string]: number } = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  mn: 1e6,
  mm: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
};

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
// `one` is mostly no number, and `no one` never is.
const COUNT = new RegExp(
  `\\b(?:${NUMBER_WORDS.filter((word) => word !== "one").join("|")})\\b`,
  "gi",
);

/**
 * All figures of a text, small counts in words included (`three`); digits that end a word (`F1`, `q3`) are part of a
 * name, except years (`FY2022`).
 */
export function figuresOf(text: string): Figure[] {
  const digits = text.replace(COUNT, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase())));
  return figuresInDigits(digits).filter(({ inName, yearLike }) => !inName || yearLike);
}

function figuresInDigits(text: string): (Figure & { inName: boolean })[] {
  return [...text.matchAll(FIGURE)].map((match) => {
    const [, open, minusBefore, minusAfter, digits = "", close, unit = ""] = match;
    const plain = digits.replaceAll(",", "");
    const before = text[match.index - 1] ?? " ";
    // `2021-2022` and `10-K` are no minus signs.
    const minus =
      minusAfter !== undefined || (minusBefore !== undefined && !/[\p{L}\d]/u.test(before));
    const accounting = open !== undefined && close !== undefined;
    const word = unit.toLowerCase();
    const number = Number(plain);
    return {
      value: minus || accounting ? -number : number,
      scale: SCALES[word] ?? 1,
      percent: word.startsWith("%") || word.startsWith("per"),
      decimals: (/\.(\d*?)0*$/.exec(plain)?.[1] ?? "").length,
      inName: /\p{L}/u.test(before) && /^\d/.test(match[0]),
      yearLike: /^(?:19|20)\d\d$/.test(digits) && unit === "" && !match[0].includes("$"),
    };
  });
}

/**
 * Whether two figures are the same at the precision they are given with: one rounds to the other and they differ by
 * at most 5%, whatever the sign; percent equals the decimal, scale words equal the zeros. A gold figure without a
 * scale word may be in the unit that the question asks for (thousands, millions, billions).
 */
export function sameFigure(gold: Figure, given: Figure): boolean {
  return readings(gold, given).some(([a, b]) => agree(a, b));
}

interface Reading {
  value: number;
  decimals: number;
}

function readings(gold: Figure, given: Figure): [Reading, Reading][] {
  const pairs: [Reading, Reading][] = [[reading(gold, 1), reading(given, 1)]];
  if (gold.scale !== 1 || given.scale !== 1) {
    pairs.push([reading(gold, gold.scale), reading(given, given.scale)]);
  }
  if (gold.scale === 1 && given.scale !== 1) {
    for (const unit of [1e3, 1e6, 1e9])
      pairs.push([reading(gold, 1), reading(given, given.scale / unit)]);
  }
  if (gold.percent !== given.percent) {
    pairs.push(
      gold.percent
        ? [reading(gold, 0.01), reading(given, 1)]
        : [reading(gold, 1), reading(given, 0.01)],
    );
  } else if (gold.scale !== given.scale) {
    // Different scale words: the bare numbers must not be compared.
    if (gold.scale !== 1 && given.scale !== 1) pairs.shift();
  }
  return pairs;
}

function reading(figure: Figure, factor: number): Reading {
  const shift = Math.round(Math.log10(factor));
  return { value: Math.abs(figure.value) * factor, decimals: figure.decimals - shift };
}

function agree(a: Reading, b: Reading): boolean {
  if (a.value === b.value) return true;
  const larger = Math.max(a.value, b.value);
  if (Math.abs(a.value - b.value) > 0.05 * larger) return false;
  const coarse = Math.min(a.decimals, b.decimals);
  return roundTo(a.value, coarse) === roundTo(b.value, coarse);
}

/** Rounds half away from zero to a number of decimals, which may be negative. */
function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // The nudge undoes binary fractions that lie a hair below a half.
  return Math.round(value * factor * (1 + Number.EPSILON * 4));
}
