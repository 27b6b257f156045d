import { canonicalJson, type Json } from "./json.ts";

/** One value that differs between a stored config and the one at hand, both as text; `(absent)` where there is none. */
export interface JsonDifference {
  path: string;
  stored: string;
  now: string;
}

/** Leaves at which two JSON values differ, in the order of their paths. */
export function diffJson(
  stored: Json | undefined,
  now: Json | undefined,
  path = "",
): JsonDifference[] {
  if (isJsonObject(stored) && isJsonObject(now)) {
    const names = [...new Set([...Object.keys(stored), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      diffJson(stored[name], now[name], path === "" ? name : `${path}.${name}`),
    );
  }
  const [before, after] = [text(stored), text(now)];
  return before === after ? [] : [{ path: path || "config", stored: before, now: after }];
}

function text(value: Json | undefined): string {
  const full = value === undefined ? "(absent)" : canonicalJson(value);
  return full.length > 120 ? `${full.slice(0, 117)}...` : full;
}

/** Whether a value is a table, not a list or a scalar. */
export function isJsonObject(
  value: Json | undefined,
): value is { readonly [key: string]: Json | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
