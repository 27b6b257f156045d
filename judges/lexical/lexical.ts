import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge } from "../../core/judge.ts";
import { settled } from "../preconditions.ts";
import { judgeByWords } from "./rule.ts";

/**
 * A verdict by rule, without any model: the default beside an offline generator. Its rule is that of
 * {@link judgeByWords}; how far it can be trusted is what `judge-check` prints.
 */
export function createLexicalJudge(): Judge {
  return {
    name: "offline:lexical",
    fingerprint: fingerprint({ judge: "offline:lexical", version: 2 }),
    needsModel: false,
    async judge(question, record) {
      const done = settled(question, record);
      if (done !== undefined) return done;
      const rulings = question.goldAnswers.map((gold) =>
        judgeByWords({ gold, answer: record.answer, answerable: question.answerable }),
      );
      const best = rulings.find(({ correct }) => correct) ?? rulings[0]!;
      return {
        value: { kind: "verdict", correct: best.correct },
        reply: best.because,
        details: { rulings: rulings.map(({ correct, because }) => ({ correct, because })) },
      };
    },
  };
}
