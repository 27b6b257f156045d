import type { Json } from "../../core/json.ts";
import { cleanField } from "./read-records.ts";

/**
 * The texts of the list under `key` in a reply, from its first `{` to its first `}` (notes 8.4); a single string
 * counts as a list of one. Empty where there is nothing to be read.
 */
export function jsonKeywords(reply: string, key: string): string[] {
  const object = /\{[^}]*\}/.exec(reply)?.[0];
  if (object === undefined) return [];
  let value: Json | undefined;
  try {
    value = (JSON.parse(object) as { [key: string]: Json })[key];
  } catch {
    return [];
  }
  const list: readonly Json[] = Array.isArray(value) ? value : [value ?? ""];
  return list
    .filter((item) => typeof item === "string")
    .map(cleanField)
    .filter((item) => item !== "");
}
