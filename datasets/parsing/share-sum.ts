import type { PageShare } from "../../core/forest/page-ownership.ts";

/** How the pages of many documents found their owners. */
export interface ShareSum {
  /** `structured` = the document has a tree of sections; else its nodes are its pages. */
  add(share: PageShare, structured: boolean): void;
  /** Sentences for the corpus summary. */
  notes(): string[];
}

export function shareSum(): ShareSum {
  const sum = {
    pages: 0,
    blank: 0,
    shared: 0,
    split: 0,
    titles: 0,
    found: 0,
    uncovered: 0,
    repairs: 0,
  };
  return {
    add(share, structured) {
      sum.pages += share.pages;
      sum.blank += share.blankPages;
      if (!structured) return;
      sum.shared += share.sharedPages;
      sum.split += share.splitPages;
      sum.titles += share.boundaryTitles;
      sum.found += share.foundTitles;
      sum.uncovered += share.uncoveredPages;
      sum.repairs += share.repairs.length;
    },
    notes() {
      const notes: string[] = [];
      if (sum.blank > 0) {
        notes.push(`${sum.pages} pages have text, ${sum.blank} are blank and have no node.`);
      }
      if (sum.shared > 0) {
        const percent = ((100 * sum.split) / sum.shared).toFixed(1);
        notes.push(
          `${sum.shared} pages are claimed by several nodes; ${sum.split} (${percent}%) were split at titles, ` +
            `which found ${sum.found} of the ${sum.titles} titles on them.`,
        );
      }
      if (sum.uncovered > 0) {
        notes.push(`${sum.uncovered} pages lie outside their tree and became page nodes.`);
      }
      if (sum.repairs > 0) notes.push(`${sum.repairs} page ranges of trees were repaired.`);
      return notes;
    },
  };
}
