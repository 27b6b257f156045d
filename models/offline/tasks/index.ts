import type { OfflineTask } from "../task.ts";
import { agenticSearchTurn } from "./agentic-search.ts";
import {
  cogAnswer,
  cogDraft,
  cogEntities,
  cogEntityKeywords,
  cogTheme,
  cogThemeKeywords,
} from "./cog-rag.ts";
import { graphSummarise } from "./graph-summarise.ts";
import {
  hypergraphAnswer,
  hypergraphExtract,
  hypergraphGlean,
  hypergraphMore,
} from "./hypergraph-rag.ts";
import { interactPlan, interactReason, interactTurn } from "./interact-rag.ts";
import { judgeBinary, judgeGe, judgeNugget } from "./judging.ts";
import { nodeMetadata, nodeMetadataBatch } from "./node-metadata.ts";
import { pageIndexTurn } from "./page-index.ts";
import { ritRagTurn } from "./rit-rag.ts";
import { sectionStart, titleFirst, titleOnPage, tocFill, tocPages } from "./structure-find.ts";
import { structureOutline } from "./structure-outline.ts";
import { tocComplete, tocDetect, tocNumbers, tocTransform } from "./structure-toc.ts";
import { vanillaAnswer } from "./vanilla.ts";
import { wixqaFamilies } from "./wixqa-families.ts";

/** Every prompt task that the offline model serves: one line and one file each. */
export const offlineTasks: { readonly [task: string]: OfflineTask } = {
  "rit-rag.turn": ritRagTurn,
  "agentic-search.turn": agenticSearchTurn,
  "vanilla.answer": vanillaAnswer,
  "interact-rag.plan": interactPlan,
  "interact-rag.reason": interactReason,
  "interact-rag.turn": interactTurn,
  "page-index.turn": pageIndexTurn,
  "hypergraph-rag.extract": hypergraphExtract,
  "hypergraph-rag.glean": hypergraphGlean,
  "hypergraph-rag.more": hypergraphMore,
  "hypergraph-rag.query": hypergraphExtract,
  "hypergraph-rag.answer": hypergraphAnswer,
  "cog-rag.theme": cogTheme,
  "cog-rag.entities": cogEntities,
  "cog-rag.theme-keywords": cogThemeKeywords,
  "cog-rag.draft": cogDraft,
  "cog-rag.entity-keywords": cogEntityKeywords,
  "cog-rag.answer": cogAnswer,
  "graph.summarise": graphSummarise,
  "node-metadata": nodeMetadata,
  "node-metadata-batch": nodeMetadataBatch,
  "structure.toc-detect": tocDetect,
  "structure.toc-numbers": tocNumbers,
  "structure.toc-transform": tocTransform,
  "structure.toc-complete": tocComplete,
  "structure.toc-pages": tocPages,
  "structure.toc-fill": tocFill,
  "structure.section-start": sectionStart,
  "structure.outline-first": structureOutline,
  "structure.outline-next": structureOutline,
  "structure.title-on-page": titleOnPage,
  "structure.title-first": titleFirst,
  "wixqa.families": wixqaFamilies,
  "judge.binary": judgeBinary,
  "judge.g-e": judgeGe,
  "judge.nugget": judgeNugget,
};
