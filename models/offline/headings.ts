/** A line that looks like a heading: how deep, from 1, and whether its own number says so. */
export interface Heading {
  level: number;
  /** Numbers of a decimal code, `[2, 1]` of "2.1 Scope"; absent for other headings. */
  code?: readonly number[];
}

const LONGEST = 100;
const MOST_WORDS = 16;

/**
 * Whether a line looks like a heading: a part, chapter or item, a Roman, lettered or decimal number before a
 * capital, or words in capitals alone. Sentences, table rows and lone numbers do not.
 */
export function headingOf(line: string): Heading | undefined {
  const text = line.replace(/\s+/g, " ").trim();
  const words = text.split(" ").length;
  if (text.length > LONGEST || words > MOST_WORDS || !/\p{L}{2}/u.test(text)) return undefined;
  if (
    /[,;]$/.test(text) ||
    /\d[\d,.]*%?$/.test(text.replace(/^(?:part|item|note|chapter)\b.*$/i, ""))
  ) {
    return undefined;
  }
  if (/^(?:part|chapter)\s+(?:[ivxlc]+|\d+)\b/i.test(text)) return { level: 1 };
  if (/^(?:item|note|section|appendix|exhibit)\s+\d*[a-z]?\d*\b[.:\s–—-]/i.test(text))
    return { level: 2 };
  const decimal = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}/u.exec(text);
  if (decimal !== null && !/\.$/.test(text)) {
    const code = decimal[1]!.split(".").map(Number);
    return { level: code.length, code };
  }
  if (/^[IVX]{1,5}\.\s+\p{Lu}/u.test(text)) return { level: 1 };
  if (/^[A-Z]\.\s+\p{Lu}/u.test(text) && !/\.$/.test(text)) return { level: 2 };
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals =
    letters.length >= 5 && letters.every((letter) => letter === letter.toUpperCase());
  return capitals && words >= 2 && !/[.|]$/.test(text) ? { level: 1 } : undefined;
}

/**
 * Gives headings their structure codes in the order of the text: a heading below an earlier one of a smaller level gets
 * that one's code and a number more. Goes on from the code of the section that came last.
 */
export function structureCounter(last: string | null): (heading: Heading | undefined) => string {
  let numbers = last === null ? [] : last.split(".").map(Number);
  return (heading) => {
    const level = Math.min(heading?.level ?? 1, numbers.length + 1);
    numbers = [...numbers.slice(0, level - 1), (numbers[level - 1] ?? 0) + 1];
    return numbers.join(".");
  };
}
