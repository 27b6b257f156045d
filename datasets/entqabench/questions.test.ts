import { describe, expect, test } from "vitest";
import { packageFile } from "../../core/package-file.ts";
import { questionsPath, readQuestionRows } from "./questions.ts";

describe.each(["ibm-cloud-docs", "powershell-docs"])("questions written for %s", (name) => {
  const path = questionsPath(`/data/${name}/`, undefined, undefined);

  test("are found by the folder's name, unless it has its own or an option names others", () => {
    expect(path).toBe(packageFile(`configs/questions/${name}.jsonl`));
    expect(questionsPath(`/data/${name}`, undefined, "questions.jsonl")).toBe(
      `/data/${name}/questions.jsonl`,
    );
    expect(questionsPath(`/data/${name}`, "other.jsonl", "questions.jsonl")).toBe(
      `/data/${name}/other.jsonl`,
    );
    expect(questionsPath("/data/elsewhere", undefined, undefined)).toBeUndefined();
  });

  test("are at least ten, each with an answer, gold pages and facts", async () => {
    const rows = await readQuestionRows(path!, new AbortController().signal);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const row of rows) {
      expect(row.answers.length, row.id).toBeGreaterThan(0);
      expect(row.pages.length, row.id).toBeGreaterThan(0);
      expect(row.nuggets?.length ?? 0, row.id).toBeGreaterThan(0);
    }
    expect(rows.some(({ unanswerable }) => unanswerable)).toBe(true);
    expect(rows.some(({ pages }) => pages.length > 1)).toBe(true);
  });
});
