import { RitbenchError } from "./errors.ts";

/** A value that survives a round trip through JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * JSON with sorted keys, no blanks and no undefined fields: equal values give equal bytes whatever
 * the order in which their keys were set. The basis of every fingerprint and cache key.
 *
 * @throws RitbenchError E_JSON_NUMBER for NaN and infinities, which JSON would turn into null.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RitbenchError("E_JSON_NUMBER", `${value} cannot be written as JSON`, {
      next: "store null or a tagged value instead",
    });
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}
