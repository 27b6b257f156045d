import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge, JudgeResult } from "../../core/judge.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import { noUsage, sumUsage } from "../../core/usage.ts";
import { askJudge } from "../ask-model.ts";
import { unanswered } from "../preconditions.ts";
import { bestOverlap, tokenF1 } from "../text/overlap.ts";
import { readScore } from "./score.ts";

/**
 * `ritrag`: score / 10 per dimension; what cannot be read is unscored (notes 9.2). `hypergraphrag`: as that project's
 * evaluation, (score / 10 + token F1) / 2 per dimension, and 5 for what cannot be read, counted in `details`
 * (notes 7.7).
 */
export type GeMode = "ritrag" | "hypergraphrag";

export const GE_DIMENSIONS = [
  "comprehensiveness",
  "knowledgeability",
  "correctness",
  "relevance",
  "diversity",
  "logical-coherence",
  "factuality",
] as const;

type Dimension = (typeof GE_DIMENSIONS)[number];
type Scores = { readonly [dimension in Dimension]: number | null };

/** Upstream's score for a reply that cannot be read. */
const DEFAULT_SCORE = 5;

/** Seven dimensions of the generation (reasoning and answer, A36), one judge call each, and their mean `overall`. */
export function createGeJudge(mode: GeMode = "ritrag"): Judge {
  const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));
  const template = load("case");
  const prompts = GE_DIMENSIONS.map((dimension) => ({ dimension, prompt: load(dimension) }));
  return {
    name: mode === "ritrag" ? "g-e" : "g-e:hypergraphrag",
    fingerprint: fingerprint({
      judge: "g-e",
      version: 1,
      mode,
      prompts: [template, ...prompts.map(({ prompt }) => prompt)].map(({ hash }) => hash),
    }),
    needsModel: true,
    async judge(question, record, context): Promise<JudgeResult> {
      const broken = unanswered(record);
      if (broken !== undefined) return broken;
      if (question.goldAnswers.length === 0) {
        return { value: { kind: "unscored", reason: "no_gold" } };
      }
      const response = `${record.reasoning}\n\n${record.answer}`.trim();
      if (response === "") return scored(zeros(), 0, { rule: "no text to rate" });
      const references = question.goldAnswers
        .map((gold, index) => `<reference number="${index + 1}">\n${gold}\n</reference>`)
        .join("\n");
      const f1 = bestOverlap(tokenF1, record.answer, question.goldAnswers)!;
      const asked = await Promise.all(
        prompts.map(async ({ dimension, prompt }) => {
          const content = template.render({
            dimension: prompt.render(),
            question: question.text,
            references,
            response,
          });
          const reply = await askJudge(
            context,
            {
              task: "judge.g-e",
              messages: [{ role: "user", content }],
              responseFormat: "json",
              hints: {
                dimension,
                question: question.text,
                goldAnswers: question.goldAnswers,
                answer: record.answer,
              },
            },
            readScore,
            'That could not be read as a score. Reply with {"score": N} alone, N a whole number from 0 to 10.',
          );
          return { dimension, reply };
        }),
      );
      const usage = sumUsage(asked.map(({ reply }) => reply.usage));
      const reply = JSON.stringify(
        Object.fromEntries(asked.map(({ dimension, reply: own }) => [dimension, own.reply])),
      );
      const raw = asked.map(({ dimension, reply: own }) => ({ dimension, own }));
      if (raw.some(({ own }) => !own.ok && own.reason === "judge_error")) {
        return { value: { kind: "unscored", reason: "judge_error" }, reply, usage };
      }
      const unreadable = Object.fromEntries(
        raw.flatMap(({ dimension, own }) => (own.ok ? [] : [[dimension, own.reason]])),
      );
      const points = Object.fromEntries(
        raw.map(({ dimension, own }) => [dimension, own.ok ? own.value : null]),
      ) as Scores;
      const details = { mode, points, unreadable };
      if (Object.keys(unreadable).length === GE_DIMENSIONS.length && mode === "ritrag") {
        return { value: { kind: "unscored", reason: "parse" }, reply, usage, details };
      }
      return mode === "ritrag"
        ? {
            ...scored(
              mapScores(points, (p) => (p === null ? null : p / 10)),
              null,
              details,
            ),
            reply,
            usage,
          }
        : {
            ...scored(
              mapScores(points, (p) => ((p ?? DEFAULT_SCORE) / 10 + f1) / 2),
              4,
              { ...details, f1 },
            ),
            reply,
            usage,
          };
    },
  };
}

/** @param digits upstream rounds the overall mean to 4 decimals; null = no rounding. */
function scored(
  scores: Scores,
  digits: number | null,
  details: NonNullable<JudgeResult["details"]>,
): JudgeResult {
  const known = Object.values(scores).filter((score) => score !== null);
  const mean = known.reduce((sum, score) => sum + score, 0) / known.length;
  const overall = digits === null ? mean : Number(mean.toFixed(digits));
  return { value: { kind: "scores", scores: { ...scores, overall } }, usage: noUsage, details };
}

function mapScores(points: Scores, score: (points: number | null) => number | null): Scores {
  return Object.fromEntries(
    GE_DIMENSIONS.map((dimension) => [dimension, score(points[dimension])]),
  ) as unknown as Scores;
}

function zeros(): Scores {
  return Object.fromEntries(GE_DIMENSIONS.map((dimension) => [dimension, 0])) as unknown as Scores;
}
