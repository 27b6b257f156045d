/**
 * Text of documents and models made safe for one line of a terminal or a table: line breaks become blanks;
 * control characters, escape sequences and characters that reorder a line (bidirectional marks) go.
 */
export function plainText(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .trim();
}
