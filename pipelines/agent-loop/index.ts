export { agentFingerprint } from "./agent-fingerprint.ts";
export { FINALISE_PERCENT, WARN_PERCENT } from "./context-meter.ts";
export { runAgent } from "./graph.ts";
export { type AgentLimits, FREE_REJECTIONS, stepBound } from "./limits.ts";
export type { AgentSpec, AgentTurn } from "./run-state.ts";
export {
  type AgentTool,
  defineTool,
  type ToolContext,
  type ToolResult,
  toolError,
} from "./tool.ts";
