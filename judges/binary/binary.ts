import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge } from "../../core/judge.ts";
import { loadPrompt, type PromptFile } from "../../core/prompt-file.ts";
import type { Question } from "../../core/question.ts";
import { askJudge } from "../ask-model.ts";
import { settled } from "../preconditions.ts";
import { parseVerdict } from "./verdict.ts";

/** Rules to judge by. QASPER has none of its own in the paper and uses the any-gold ones (A15). */
export type BinaryRules = "any-gold" | "financebench" | "entdocs";

const RULES_BY_DATASET: { readonly [dataset: string]: BinaryRules } = {
  financebench: "financebench",
  entqabench: "entdocs",
};

const prompt = (name: string): PromptFile =>
  loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

/**
 * True or False by a judge model, by the rules of the question's data set (notes 9.1): WixQA, QASPER and own data by
 * any gold, FinanceBench with tolerance for figures, EntQABench by steps and terms.
 *
 * @param rules the same rules for every data set.
 */
export function createBinaryJudge(rules?: BinaryRules): Judge {
  const prompts: { readonly [name in BinaryRules]: PromptFile } = {
    "any-gold": prompt("any-gold"),
    financebench: prompt("financebench"),
    entdocs: prompt("entdocs"),
  };
  const casePrompt = prompt("case");
  return {
    name: "binary",
    fingerprint: fingerprint({
      judge: "binary",
      version: 1,
      rules: rules ?? RULES_BY_DATASET,
      prompts: [...Object.values(prompts), casePrompt].map(({ hash }) => hash),
    }),
    needsModel: true,
    async judge(question, record, context) {
      const done = settled(question, record);
      if (done !== undefined) return done;
      const system =
        prompts[rules ?? RULES_BY_DATASET[question.benchmark ?? question.dataset] ?? "any-gold"];
      const asked = await askJudge(
        context,
        {
          task: "judge.binary",
          messages: [
            { role: "system", content: system.render() },
            { role: "user", content: renderCase(casePrompt, question, record.answer) },
          ],
          hints: {
            question: question.text,
            goldAnswers: question.goldAnswers,
            answer: record.answer,
          },
        },
        (reply) => {
          const verdict = parseVerdict(reply);
          return verdict.readable
            ? { ok: true, value: verdict.correct }
            : { ok: false, reason: verdict.reason };
        },
        "That could not be read as a verdict. Reply with one word: True or False.",
      );
      const { usage, reply } = asked;
      return asked.ok
        ? { value: { kind: "verdict", correct: asked.value }, reply, usage }
        : { value: { kind: "unscored", reason: asked.reason }, reply, usage };
    },
  };
}

function renderCase(template: PromptFile, question: Question, answer: string): string {
  const references = question.goldAnswers
    .map((gold, index) => `<reference number="${index + 1}">\n${gold}\n</reference>`)
    .join("\n");
  return template.render({ question: question.text, references, answer });
}
