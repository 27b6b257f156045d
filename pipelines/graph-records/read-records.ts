/** How a model was told to write its records. */
export interface RecordGrammar {
  /** Names that a record may start with, as the prompt spells them. */
  tags: readonly string[];
  fieldSeparator: string;
  /** Stands between a record's closing parenthesis and the next record. */
  recordSeparator: string;
}

export const END_MARK = "<|COMPLETE|>";

/** One record: its tag in lower case, then its cleaned fields. */
export interface DelimitedRecord {
  tag: string;
  fields: string[];
}

/**
 * Reads records of the form `("tag"<sep>field<sep>field)` out of a model's output (notes 7.2, 7.5 b, c, k). A record
 * reaches from a tag to its outermost closing parenthesis before the next tag, separator or end mark, over line ends
 * too; quotes around tags and values may be there or not; the separator between records may be missing; text glued
 * to an end mark is read on. A record without a closing parenthesis is dropped.
 */
export function readRecords(output: string, grammar: RecordGrammar): DelimitedRecord[] {
  const { tags, fieldSeparator, recordSeparator } = grammar;
  const tag = tags.map(escapeRegExp).join("|");
  const start = new RegExp(
    `\\(\\s*["'“”]?(${tag})["'“”]?\\s*${escapeRegExp(fieldSeparator)}`,
    "gi",
  );
  const end = new RegExp(`\\)\\s*?${escapeRegExp(recordSeparator)}`);
  const starts = [...output.matchAll(start)];
  return starts.flatMap((match, i) => {
    const from = match.index + match[0].length;
    let body = output.slice(from, starts[i + 1]?.index).split(END_MARK, 1)[0]!;
    const separator = end.exec(body);
    if (separator !== null) body = body.slice(0, separator.index + 1);
    const close = body.lastIndexOf(")");
    if (close < 0) return [];
    const fields = body.slice(0, close).split(fieldSeparator).map(cleanField);
    return [{ tag: match[1]!.toLowerCase(), fields }];
  });
}

/** Trimmed, on one line, without HTML escapes, control characters and quotes around the whole. */
export function cleanField(field: string): string {
  const plain = unescapeHtml(field)
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim();
  return /^["“”]\s*([^"“”]*?)\s*["“”]$/.exec(plain)?.[1] ?? plain;
}

/** A score, or what to take where the field holds none. */
export function scoreOf(field: string | undefined, otherwise: number): number {
  return field !== undefined && /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(field)
    ? Number(field)
    : otherwise;
}

const NAMED: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[(name as string).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\n", "\\n");
}
