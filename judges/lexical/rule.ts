import { answerTokens } from "../text/normalize.ts";
import { type Figure, figuresOf, sameFigure } from "./numbers.ts";

export interface Ruling {
  correct: boolean;
  /** The step of the rule that decided, with its figures. */
  because: string;
}

/** Share of a gold's content words that the answer must hold. */
export const WORD_SHARE = 0.5;
/** A gold with figures and at most this many other content words is a figure. */
const FIGURE_GOLD_WORDS = 3;

const ABSTENTION =
  /\b(?:no such (?:\w+ ){1,3}(?:is|are|was|were) (?:disclosed|mentioned|stated|documented|described|reported)|(?:no|not enough|insufficient) (?:\w+ )?(?:information|mention|evidence|answer|details?)|(?:(?:is|are|was|were|does|do|did|could|can|has|have|am|be) ?n[o']t|not|never) (?:been |be )?(?:\w+ )?(?:stat|giv|find|found|provid|mention|disclos|specif|contain|includ|cover|document|describ|say|said|answer|determin|available|list|appear)\w*|cannot (?:be )?(?:\w+ )?(?:answer|determin|find|found|say)\w*|unanswerable|unable to (?:find|answer|determine)|unknown)/i;
/** Longer answers say more than that there is none. */
const ABSTENTION_WORDS = 40;

const NEGATIVE =
  /\b(?:decreas|declin|drop|fell|fall|negativ|loss|lower|shrank|shrunk|reduc|down)\w*/i;

const STOP_WORDS = new Set(
  "a an the and or of to in on at by for with from as is are was were be been it its this that these those which who whom there their they them you your i we our he she his her has have had do does did can could will would should may might must if then than so but into over also such when where while about more most other any all each both no not yes".split(
    " ",
  ),
);

/**
 * Decides by words and figures whether an answer agrees with one gold answer. In this order:
 *
 * 1. unanswerable question: right when the answer says there is no answer; answerable: a short answer that says so is wrong;
 * 2. gold that opens with yes or no: an answer that opens with the other is wrong; a gold of that word alone is
 *    decided by it;
 * 3. gold that is a figure (at most 3 further content words): right when every figure of it stands in the answer
 *    (see {@link sameFigure}), with the sign or a word for it;
 * 4. else: right when the answer holds at least half of the gold's content words (stems, without stop words) and at
 *    least half of its figures, or both where there are one or two.
 */
export function judgeByWords(input: { gold: string; answer: string; answerable: boolean }): Ruling {
  const { gold, answer, answerable } = input;
  const abstains = isAbstention(answer);
  if (!answerable)
    return {
      correct: abstains,
      because: abstains ? "says there is no answer" : "gives an answer to an unanswerable question",
    };
  if (abstains && !isAbstention(gold))
    return { correct: false, because: "says there is no answer" };
  const [goldOpens, opens] = [opening(gold), opening(answer)];
  if (goldOpens !== undefined && opens !== undefined && goldOpens !== opens) {
    return { correct: false, because: `opens with ${opens}, the gold with ${goldOpens}` };
  }
  if (goldOpens !== undefined && contentWords(gold).length === 0 && figuresOf(gold).length === 0) {
    return {
      correct: goldOpens === opens,
      because: opens === undefined ? `no ${goldOpens} at the start` : `opens with ${opens}`,
    };
  }
  return byFiguresAndWords(gold, answer);
}

function byFiguresAndWords(gold: string, answer: string): Ruling {
  const golden = figuresOf(gold);
  const figures = golden.some((figure) => !figure.yearLike)
    ? golden.filter((figure) => !figure.yearLike)
    : golden;
  const given = figuresOf(answer);
  const found = figures.filter((figure) => hasFigure(figure, given, gold, answer)).length;
  const words = contentWords(gold);
  if (figures.length > 0 && words.length <= FIGURE_GOLD_WORDS) {
    return { correct: found === figures.length, because: `${found} of ${figures.length} figures` };
  }
  const held = new Set(contentWords(answer));
  const shared = words.filter((word) => held.has(word)).length;
  const enoughWords = shared >= WORD_SHARE * words.length;
  const enoughFigures =
    figures.length <= 2 ? found === figures.length : found >= WORD_SHARE * figures.length;
  const because = `${shared} of ${words.length} words, ${found} of ${figures.length} figures`;
  return { correct: enoughWords && enoughFigures, because };
}

/** Whether a gold figure stands in the answer with its sign, or with a word for it on either side. */
function hasFigure(
  gold: Figure,
  given: readonly Figure[],
  goldText: string,
  answer: string,
): boolean {
  return given.some((figure) => {
    if (!sameFigure(gold, figure)) return false;
    const goldNegative = gold.value < 0 || NEGATIVE.test(goldText);
    const negative = figure.value < 0 || NEGATIVE.test(answer);
    if (gold.value < 0) return negative;
    return figure.value < 0 ? goldNegative : true;
  });
}

function isAbstention(text: string): boolean {
  return ABSTENTION.test(text) && text.trim().split(/\s+/).length <= ABSTENTION_WORDS;
}

function opening(text: string): "yes" | "no" | undefined {
  const word = /^\W*(yes|no)\b(?!\.\s?\d)/i.exec(text)?.[1]?.toLowerCase();
  return word === "yes" || word === "no" ? word : undefined;
}

/** Stems of the words that carry meaning, figures left out. */
function contentWords(text: string): string[] {
  const words = text
    .replace(/\]\([^)]*\)/g, "]")
    .toLowerCase()
    .match(/\p{L}[\p{L}\p{N}'_-]*/gu);
  return (words ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .flatMap((word) => answerTokens(word.replace(/'s$/, "")))
    .map(stem);
}

/** A light stem: plural and verb endings, enough to match `margins decreased` with `margin decrease`. */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=\p{L}{3})s$/u, "");
  return word.replace(/(?:ations?|ings?|edly|ed|es|s|e|ly)$/u, "");
}
