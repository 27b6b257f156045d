import type { DataFinding } from "../../core/dataset.ts";
import type { PageTreeKind } from "../parsing/paged-document.ts";
import { shareSum } from "../parsing/share-sum.ts";
import type { AbsentFiling, Filing } from "./filing.ts";

/** Adds up what the filings of a corpus look like and what was wrong with them. */
export interface Tally {
  add(filing: Filing | AbsentFiling): void;
  /** Sentences for the corpus summary. */
  notes(): string[];
  findings(): DataFinding[];
}

export function createTally(): Tally {
  const found: DataFinding[] = [];
  const kinds = new Map<PageTreeKind, number>();
  const byText = new Map<string, string[]>();
  const shares = shareSum();
  let absent = 0;
  const twins = (): string[][] => [...byText.values()].filter((names) => names.length > 1);

  return {
    add(filing) {
      const subject = filing.name;
      if ("absent" in filing) {
        absent++;
        found.push({ kind: "document_missing", subject, detail: filing.absent });
        return;
      }
      const { treeKind, textHash, share } = filing;
      const structured = treeKind !== "pages";
      kinds.set(treeKind, (kinds.get(treeKind) ?? 0) + 1);
      byText.set(textHash, [...(byText.get(textHash) ?? []), subject]);
      shares.add(share, structured);
      for (const detail of filing.faults) found.push({ kind: "other", subject, detail });
      for (const detail of share.repairs) found.push({ kind: "tree_repaired", subject, detail });
      if (structured && share.uncoveredPages > 0) {
        const detail = `${share.uncoveredPages} pages lie outside its tree and became page nodes`;
        found.push({ kind: "tree_repaired", subject, detail });
      }
    },
    notes() {
      const trees = (["pageindex", "outline", "pages"] as const).map(
        (kind) => `${kinds.get(kind) ?? 0} ${kind}`,
      );
      const notes = [`Trees of the filings: ${trees.join(", ")}.`, ...shares.notes()];
      if (absent > 0) notes.push(`${absent} filings have no text here and were left out.`);
      if (twins().length > 0) {
        notes.push(`${twins().length} texts stand here under two names or more; all were kept.`);
      }
      return notes;
    },
    findings() {
      const repeats = twins().flatMap(([first, ...others]): DataFinding[] =>
        others.map((subject) => ({
          kind: "other",
          subject,
          detail: `has the same text as ${first}`,
        })),
      );
      return [...found, ...repeats];
    },
  };
}
