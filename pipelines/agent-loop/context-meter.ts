import { countO200k } from "../../core/o200k.ts";
import { inputTokens, type Usage } from "../../core/usage.ts";

/** The model is told to stop searching from here on (A23, A24). */
export const WARN_PERCENT = 80;
/** From here on only a final message is asked for. */
export const FINALISE_PERCENT = 95;
/** Kept free of tool results for the loop's own notices and short errors. */
export const NOTICE_TOKENS = 120;

/** Estimate of the coming call's prompt: what the last call reported, plus the o200k count of what was added since. */
export interface ContextMeter {
  readonly usedTokens: number;
  /** Share of the window in use, rounded down. */
  percent(): number;
  /** Tokens that may be added before `FINALISE_PERCENT` is reached, room for notices left aside. Never negative. */
  roomTokens(): number;
  /** Counts tokens that go into the next prompt. */
  add(tokens: number): void;
  /** Replaces the estimate by a call's own numbers; `reply` is counted where the model reports none. */
  report(usage: Usage, reply: string): void;
}

export function contextMeter(windowTokens: number): ContextMeter {
  let used = 0;
  return {
    get usedTokens() {
      return used;
    },
    percent: () => Math.floor((used * 100) / windowTokens),
    roomTokens: () =>
      Math.max(0, Math.ceil((windowTokens * FINALISE_PERCENT) / 100) - 1 - used - NOTICE_TOKENS),
    add(tokens) {
      used += tokens;
    },
    report(usage, reply) {
      const prompt = inputTokens(usage);
      used = prompt > 0 ? prompt + usage.outputTokens : used + countO200k(reply);
    },
  };
}
