import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge, JudgeResult } from "../../core/judge.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import type { Question } from "../../core/question.ts";
import type { RunRecord } from "../../core/record.ts";
import { sumUsage } from "../../core/usage.ts";
import { askJudge } from "../ask-model.ts";
import { parseVerdict } from "../binary/verdict.ts";
import { judgeByWords } from "../lexical/rule.ts";
import { unanswered } from "../preconditions.ts";

/** Whether an answer holds one nugget; null = the judge could not be read. */
interface Covered {
  nugget: string;
  covered: boolean | null;
}

/** Completeness by a judge model, one question per nugget; nuggets whose verdict cannot be read are left out. */
export function createNuggetJudge(): Judge {
  const prompt = loadPrompt(new URL("./prompts/nugget.md", import.meta.url));
  return {
    name: "nuggets",
    fingerprint: fingerprint({ judge: "nuggets", version: 1, prompt: prompt.hash }),
    needsModel: true,
    async judge(question, record, context) {
      const nuggets = nuggetsOf(question, record);
      if ("value" in nuggets) return nuggets;
      const { text } = question;
      const { answer } = record;
      if (answer.trim() === "")
        return completeness(nuggets.map((nugget) => ({ nugget, covered: false })));
      const asked = await Promise.all(
        nuggets.map((nugget) =>
          askJudge(
            context,
            {
              task: "judge.nugget",
              messages: [
                { role: "user", content: prompt.render({ question: text, nugget, answer }) },
              ],
              hints: { question: text, nugget, answer },
            },
            (reply) => {
              const verdict = parseVerdict(reply);
              return verdict.readable
                ? { ok: true, value: verdict.correct }
                : { ok: false, reason: verdict.reason };
            },
            "That could not be read as a verdict. Reply with one word: True or False.",
          ),
        ),
      );
      const usage = sumUsage(asked.map((one) => one.usage));
      if (asked.some((one) => !one.ok && one.reason === "judge_error")) {
        return { value: { kind: "unscored", reason: "judge_error" }, usage };
      }
      const covered = asked.map(
        (one, index): Covered => ({
          nugget: nuggets[index]!,
          covered: one.ok ? one.value : null,
        }),
      );
      return { ...completeness(covered), usage };
    },
  };
}

/** Completeness by rule: a nugget is covered when the rule of `offline:lexical` takes it for answered. */
export function createLexicalNuggetJudge(): Judge {
  return {
    name: "nuggets:lexical",
    fingerprint: fingerprint({ judge: "nuggets:lexical", version: 1 }),
    needsModel: false,
    async judge(question, record) {
      const nuggets = nuggetsOf(question, record);
      if ("value" in nuggets) return nuggets;
      const { answer } = record;
      return completeness(
        nuggets.map((nugget) => ({
          nugget,
          covered:
            answer.trim() !== "" &&
            judgeByWords({ gold: nugget, answer, answerable: true }).correct,
        })),
      );
    },
  };
}

/** The nuggets to look for, or the result where there are none: a dash in tables, not a 0. */
function nuggetsOf(question: Question, record: RunRecord): readonly string[] | JudgeResult {
  const broken = unanswered(record);
  if (broken !== undefined) return broken;
  const nuggets = question.nuggets ?? [];
  return nuggets.length === 0 ? { value: { kind: "unscored", reason: "not_applicable" } } : nuggets;
}

function completeness(nuggets: readonly Covered[]): JudgeResult {
  const known = nuggets.filter(({ covered }) => covered !== null);
  const details = { nuggets: nuggets.map(({ nugget, covered }) => ({ nugget, covered })) };
  if (known.length === 0) return { value: { kind: "unscored", reason: "parse" }, details };
  const score = known.filter(({ covered }) => covered).length / known.length;
  return { value: { kind: "score", score }, details };
}
