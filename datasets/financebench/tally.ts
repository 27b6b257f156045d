import type { DataFinding } from "../../core/dataset.ts";
import type { PageTreeKind } from "../parsing/paged-document.ts";
import type { AbsentFiling, Filing } from "./filing.ts";

/** Adds up what the filings of a corpus look like and what was wrong with them. */
export interface Tally {
  add(filing: Filing | AbsentFiling): void;
  /** Sentences for the corpus summary. */
  notes(): string[];
  findings(): DataFinding[];
}

export function createTally(): Tally {
  const findings: DataFinding[] = [];
  const kinds = new Map<PageTreeKind, number>();
  const byText = new Map<string, string[]>();
  const sum = {
    pages: 0,
    blankPages: 0,
    sharedPages: 0,
    splitPages: 0,
    boundaryTitles: 0,
    foundTitles: 0,
    uncoveredPages: 0,
  };
  let repairs = 0;
  let absent = 0;

  return {
    add(filing) {
      const subject = filing.name;
      if ("absent" in filing) {
        absent++;
        findings.push({ kind: "document_missing", subject, detail: filing.absent });
        return;
      }
      kinds.set(filing.treeKind, (kinds.get(filing.treeKind) ?? 0) + 1);
      byText.set(filing.textHash, [...(byText.get(filing.textHash) ?? []), subject]);
      sum.pages += filing.share.pages;
      sum.blankPages += filing.share.blankPages;
      for (const detail of filing.faults) findings.push({ kind: "other", subject, detail });
      if (filing.treeKind === "pages") return;
      sum.sharedPages += filing.share.sharedPages;
      sum.splitPages += filing.share.splitPages;
      sum.boundaryTitles += filing.share.boundaryTitles;
      sum.foundTitles += filing.share.foundTitles;
      sum.uncoveredPages += filing.share.uncoveredPages;
      repairs += filing.share.repairs.length;
      for (const detail of filing.share.repairs) {
        findings.push({ kind: "tree_repaired", subject, detail });
      }
      if (filing.share.uncoveredPages > 0) {
        const detail = `${filing.share.uncoveredPages} pages lie outside its tree and became page nodes`;
        findings.push({ kind: "tree_repaired", subject, detail });
      }
    },
    notes() {
      const twins = [...byText.values()].filter((names) => names.length > 1).length;
      const trees = (["pageindex", "outline", "pages"] as const).map(
        (kind) => `${kinds.get(kind) ?? 0} ${kind}`,
      );
      const notes = [
        `Trees of the filings: ${trees.join(", ")}.`,
        `${sum.pages} pages have text, ${sum.blankPages} are blank and have no node.`,
      ];
      if (sum.sharedPages > 0) {
        notes.push(
          `${sum.sharedPages} pages are claimed by several nodes; ${sum.splitPages} (${percent(sum.splitPages, sum.sharedPages)}) ` +
            `were split at titles, which found ${sum.foundTitles} of the ${sum.boundaryTitles} titles on them.`,
        );
      }
      if (sum.uncoveredPages > 0) {
        notes.push(`${sum.uncoveredPages} pages lie outside their tree and became page nodes.`);
      }
      if (repairs > 0) notes.push(`${repairs} page ranges of trees were repaired.`);
      if (absent > 0) notes.push(`${absent} filings have no text here and were left out.`);
      if (twins > 0) {
        notes.push(
          `${twins} texts stand there twice or more under different names; all were kept.`,
        );
      }
      return notes;
    },
    findings() {
      const twins = [...byText.values()].flatMap((names): DataFinding[] =>
        names.slice(1).map((subject) => ({
          kind: "other",
          subject,
          detail: `has the same text as ${names[0]}`,
        })),
      );
      return [...findings, ...twins];
    },
  };
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
