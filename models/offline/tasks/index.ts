import type { OfflineTask } from "../task.ts";
import { agenticSearchTurn } from "./agentic-search.ts";
import { ritRagTurn } from "./rit-rag.ts";
import { vanillaAnswer } from "./vanilla.ts";

/** Every prompt task that the offline model serves: one line and one file each. */
export const offlineTasks: { readonly [task: string]: OfflineTask } = {
  "rit-rag.turn": ritRagTurn,
  "agentic-search.turn": agenticSearchTurn,
  "vanilla.answer": vanillaAnswer,
};
