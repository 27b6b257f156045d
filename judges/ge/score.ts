import type { Read } from "../ask-model.ts";
import { withoutFence, withoutThinking } from "../binary/verdict.ts";

/**
 * A whole number from 0 to 10 out of a judge's reply: `{"score": 8}`, fenced or behind prose, or the bare number. A
 * number outside is `range`, anything else `parse`; nothing is clamped or rounded.
 */
export function readScore(reply: string): Read<number> {
  const text = withoutFence(withoutThinking(reply).trim());
  const found = [...text.matchAll(/\{[^{}]*\}/g)].flatMap(([object]) => scoreOf(object));
  if (found.length === 0 && /^[-+]?\d+(?:\.\d+)?$/.test(text)) found.push(Number(text));
  if (found.length !== 1) return { ok: false, reason: "parse" };
  const score = found[0]!;
  if (!Number.isInteger(score) || score < 0 || score > 10) return { ok: false, reason: "range" };
  return { ok: true, value: score };
}

function scoreOf(object: string): number[] {
  try {
    const { score } = JSON.parse(object) as { score?: unknown };
    if (typeof score === "number") return [score];
    return typeof score === "string" && /^\d+$/.test(score.trim()) ? [Number(score)] : [];
  } catch {
    return [];
  }
}
