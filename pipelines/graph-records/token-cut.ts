import { countO200k } from "../../core/o200k.ts";

/**
 * The longest leading part of a list whose texts have together at most `limitTokens` tokens (o200k). A first item
 * over the limit yields an empty list (notes 7.4).
 */
export function withinTokens<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  limitTokens: number,
): T[] {
  let used = 0;
  let kept = 0;
  for (const item of items) {
    used += countO200k(textOf(item));
    if (used > limitTokens) break;
    kept++;
  }
  return items.slice(0, kept);
}
