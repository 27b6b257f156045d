import { describe, expect, it } from "vitest";
import { csvTable } from "./csv.ts";
import { decimals, dollars, duration, percent } from "./format.ts";
import { latexTable } from "./latex.ts";
import { escapeMarkdown, markdownTable } from "./markdown.ts";
import type { Table } from "./table.ts";
import { terminalTable } from "./terminal.ts";

const table: Table = {
  title: "Accuracy & cost",
  columns: [
    { key: "method", label: "Method" },
    { key: "accuracy", label: "Accuracy", align: "right", format: percent, best: "max" },
    { key: "costUsd", label: "Cost", align: "right", format: dollars, best: "min" },
  ],
  rows: [
    { method: "RIT-RAG", accuracy: 0.95, costUsd: 0.004 },
    { method: '=HYPERLINK("x")|<b>\u202egnp', accuracy: 0.795, costUsd: null },
    { method: "Vanilla_100%", accuracy: null, costUsd: 0.002 },
  ],
  notes: ["n = 2 of 3"],
};

describe("tables", () => {
  it("aligns in the terminal, dashes for what is not there", () => {
    expect(terminalTable(table, 100)).toBe(
      [
        "Accuracy & cost",
        "",
        "Method                  Accuracy      Cost",
        "──────────────────────  ────────  ────────",
        "RIT-RAG                    95.0%  $0.00400",
        '=HYPERLINK("x")|<b>gnp     79.5%         –',
        "Vanilla_100%                   –  $0.00200",
        "",
        "n = 2 of 3",
        "",
      ].join("\n"),
    );
  });

  it("never grows wider than the terminal when a text column can give", () => {
    const lines = terminalTable(table, 36).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(36);
    expect(lines.join("\n")).toContain("…");
  });

  it("writes raw values and no formula to CSV", () => {
    expect(csvTable(table)).toBe(
      [
        "method,accuracy,costUsd",
        "RIT-RAG,0.95,0.004",
        `"'=HYPERLINK(""x"")|<b>\u202egnp",0.795,`,
        "Vanilla_100%,,0.002",
        "",
      ].join("\n"),
    );
  });

  it("escapes Markdown and marks the best", () => {
    const markdown = markdownTable(table);
    expect(markdown).toContain("| RIT-RAG | **95.0%** | $0.00400 |");
    expect(markdown).toContain('=HYPERLINK("x")\\|&lt;b&gt;gnp');
    expect(escapeMarkdown("[a](https://x.test)")).toBe("\\[a\\](https:&#47;&#47;x.test)");
  });

  it("marks the best of each group, and none where all are equal", () => {
    const grouped: Table = {
      title: "Groups",
      columns: [
        { key: "set", label: "Set" },
        { key: "score", label: "Score", best: "max" },
        { key: "cost", label: "Cost", best: "min" },
      ],
      rows: [
        { set: "a", score: 1, cost: 0 },
        { set: "a", score: 2, cost: 0 },
        { set: "b", score: 7, cost: 3 },
        { set: "b", score: 9, cost: 1 },
      ],
      bestBy: "set",
      notes: [],
    };
    const lines = markdownTable(grouped).split("\n").slice(4, 8);
    expect(lines).toEqual([
      "| a | 1 | 0 |",
      "| a | **2** | 0 |",
      "| b | 7 | 3 |",
      "| b | **9** | **1** |",
    ]);
  });

  it("escapes LaTeX", () => {
    const latex = latexTable(table);
    expect(latex).toContain("\\caption{Accuracy \\& cost}");
    expect(latex).toContain("RIT-RAG & \\textbf{95.0\\%} & \\$0.00400 \\\\");
    expect(latex).toContain("Vanilla\\_100\\%");
  });

  it("formats numbers", () => {
    expect([
      percent(0.0795),
      decimals(2)(1.005),
      dollars(0),
      dollars(12.3),
      duration(3725),
    ]).toEqual(["8.0%", "1.00", "$0", "$12.30", "1h 02m"]);
  });
});
