/** Tool calls refused for their arguments that do not count against the budget (A25). */
export const FREE_REJECTIONS = 3;

/** Budgets of one question. */
export interface AgentLimits {
  /** B: tool calls in all, refused ones included. */
  calls: number;
  /** Calls accepted in one turn; absent = as many as the budget has left. */
  callsPerTurn?: number;
}

/**
 * Graph steps that no run can pass: every turn with tool calls uses up a call or a free rejection; then the
 * reminder turn, the last turn and the forced final message. LangGraph raises its error when a run has taken
 * exactly as many steps as allowed, hence one more.
 */
export function stepBound({ calls }: AgentLimits): number {
  return calls + FREE_REJECTIONS + 3 + 1;
}
