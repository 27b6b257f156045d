import { z } from "zod";

/** A section in a flat list. */
export interface Entry {
  /** `1.2.3`; null where the model gave none. */
  structure: string | null;
  title: string;
  /** Page number as printed in the table of contents. */
  page: number | null;
  /** Physical page on which it starts, from 1; null while unknown. */
  start: number | null;
}

/**
 * Entries of a reply: a list, a list under any key, or one entry by itself. Items that are no objects or
 * have no title are passed over; missing keys are null.
 */
export const entriesSchema = z.unknown().transform((value, context): Entry[] => {
  const list = listIn(value);
  if (list !== undefined) return list.flatMap(entryOf);
  context.addIssue({ code: "custom", message: "a list of entries was expected" });
  return z.NEVER;
});

/** Start pages by entry id. */
export const fillSchema = z.unknown().transform((value, context) => {
  const list = listIn(value);
  if (list === undefined) {
    context.addIssue({ code: "custom", message: "a list of entries was expected" });
    return z.NEVER;
  }
  return list.flatMap((item) => {
    const fields = record(item);
    const id = wholeNumber(fields?.id);
    const start = physicalIndex(fields?.physical_index);
    return id === null || start === null ? [] : [{ id, start }];
  });
});

/** `{"physical_index": 12 | null}`; also where the model gives a list of one. */
export const startSchema = z.unknown().transform((value) => {
  const fields = record(Array.isArray(value) ? value[0] : value);
  return physicalIndex(fields?.physical_index);
});

/** `{"answer": "yes" | "no"}`. */
export const yesSchema = z
  .object({ answer: z.union([z.boolean(), z.string()]) })
  .transform(({ answer }, context) => {
    if (typeof answer === "boolean") return answer;
    const word = /^\W*(yes|no|true|false)\b/i.exec(answer)?.[1]?.toLowerCase();
    if (word !== undefined) return word === "yes" || word === "true";
    context.addIssue({ code: "custom", message: "yes or no was expected" });
    return z.NEVER;
  });

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const fields = record(value);
  if (fields === undefined) return undefined;
  if (typeof fields.title === "string") return [fields];
  return Object.values(fields).find((field): field is unknown[] => Array.isArray(field));
}

function entryOf(item: unknown): Entry[] {
  const fields = record(item);
  const title = typeof fields?.title === "string" ? fields.title.replace(/\s+/g, " ").trim() : "";
  if (fields === undefined || title === "") return [];
  return [
    {
      structure: structureOf(fields.structure),
      title,
      page: wholeNumber(fields.page),
      start: physicalIndex(fields.physical_index),
    },
  ];
}

function structureOf(value: unknown): string | null {
  const code = typeof value === "number" ? String(value) : value;
  if (typeof code !== "string") return null;
  return /^\d+(?:\.\d+)*/.exec(code.trim())?.[0] ?? null;
}

/** `12`, `"12"`, `"physical_index_12"` and `"<physical_index_12>"`. */
function physicalIndex(value: unknown): number | null {
  const digits =
    typeof value === "string"
      ? /^<?\/?(?:physical_index_)?(\d+)>?$/.exec(value.trim())?.[1]
      : value;
  return wholeNumber(digits);
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

function record(value: unknown): { readonly [field: string]: unknown } | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [field: string]: unknown })
    : undefined;
}

/** Entries as prompts show them. */
export function entriesJson(entries: readonly Entry[]): string {
  const rows = entries.map(({ structure, title, page, start }) => ({
    structure,
    title,
    ...(page !== null && { page }),
    ...(start !== null && { physical_index: start }),
  }));
  return JSON.stringify(rows);
}
