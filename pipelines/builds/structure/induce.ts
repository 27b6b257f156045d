import { messageOf, RitbenchError } from "../../../core/errors.ts";
import type { PageRangeTree } from "../../../core/forest/page-ranges.ts";
import type { ChatModel } from "../../../core/model.ts";
import type { Entry } from "./entries.ts";
import {
  createInducer,
  type Inducer,
  isModeFailure,
  type StructureSettings,
  windowShare,
} from "./inducer.ts";
import { splitLargeSections } from "./large-nodes.ts";
import { fromNumberedToc, fromPages, fromPlainToc } from "./modes.ts";
import { promptPages } from "./pages.ts";
import { findToc } from "./toc.ts";
import { type Section, sectionTree, withPreface } from "./tree.ts";
import { placedEntries, type Verified, verifyAndFix } from "./verify.ts";

/** How a document's sections were found: a table of contents with page numbers, one without, or its pages. */
export type StructureMode = "toc-numbers" | "toc" | "pages";

/** The structure of one document, as the build stores it. */
export interface InducedStructure {
  mode: StructureMode;
  /** Share of sections that stood where the model had put them, before mending. */
  accuracy: number;
  /** Pages from 0, both ends included. */
  trees: PageRangeTree[];
  warnings: string[];
}

/**
 * The sections of a paged document by the classic PageIndex pipeline: a table of contents with page numbers, else one
 * without, else the pages themselves; every section checked on its page, long ones split further.
 *
 * @param pages text of every page
 * @throws RitbenchError E_STRUCTURE when no way gives sections of which more than 60% are right
 */
export async function induceStructure(
  pages: readonly string[],
  model: ChatModel,
  settings: StructureSettings,
): Promise<InducedStructure> {
  const warnings = new Set<string>();
  const warn = (sentence: string) => void warnings.add(sentence);
  const shown = promptPages(pages, Math.min(settings.maxTokensPerNode, windowShare(model)));
  for (const { page, droppedTokens } of shown.cuts) {
    warn(`page ${page} was shown to the model without its last ${droppedTokens} tokens`);
  }
  const inducer = createInducer(model, shown, settings, warn);
  const range = { first: 1, last: pages.length };
  const { mode, verified } = await verifiedSections(inducer);
  const sections = await sectionTree(inducer, withPreface(verified.entries, 1), range);
  await splitLargeSections(inducer, sections);
  return {
    mode,
    accuracy: verified.accuracy,
    trees: sections.map(fromZero),
    // Calls end in any order.
    warnings: [...warnings].sort(),
  };
}

async function verifiedSections(
  inducer: Inducer,
): Promise<{ mode: StructureMode; verified: Verified }> {
  const range = { first: 1, last: inducer.pages.count };
  const toc = await findToc(inducer);
  const ways: { mode: StructureMode; read(): Promise<Entry[]> }[] = [
    { mode: "pages", read: () => fromPages(inducer, range) },
  ];
  if (toc !== undefined && (toc.numbered || inducer.settings.tocWithoutNumbers === "fill")) {
    ways.unshift({ mode: "toc", read: () => fromPlainToc(inducer, toc) });
  }
  if (toc?.numbered) {
    ways.unshift({ mode: "toc-numbers", read: () => fromNumberedToc(inducer, toc) });
  }
  const why: string[] = [];
  for (const { mode, read } of ways) {
    try {
      const entries = placedEntries(inducer, await read(), range);
      const last = entries.at(-1);
      // A list that stops in the first half of the document has missed the rest.
      if (last === undefined || last.start < range.last / 2) {
        why.push(`${mode}: the sections end on page ${last?.start ?? 0} of ${range.last}`);
        continue;
      }
      const verified = await verifyAndFix(inducer, entries, range);
      if (verified !== undefined) {
        for (const reason of why) inducer.warn(reason);
        return { mode, verified };
      }
      why.push(`${mode}: too few sections stand on their pages`);
    } catch (error) {
      if (!isModeFailure(error)) throw error;
      why.push(`${mode}: ${messageOf(error)}`);
    }
  }
  throw new RitbenchError("E_STRUCTURE", `no structure could be induced: ${why.join("; ")}`, {
    expected: "sections of which more than 60% stand on their pages",
    next: "the document keeps one node a page; another model may do better",
  });
}

function fromZero({ title, start, end, children }: Section): PageRangeTree {
  return { title, start: start - 1, end: end - 1, children: children.map(fromZero) };
}
