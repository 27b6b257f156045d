import { nameStemsOf, sentencesOf, stemsOf } from "./words.ts";

/** A text that an answer may be taken from. */
export interface Evidence {
  /** As it goes into the sources block. */
  id: string;
  /** Titles above the text; they count as context of each of its sentences. */
  heading: string;
  text: string;
}

export interface Extract {
  /** The chosen sentences, best first joined in text order per evidence. */
  answer: string;
  sources: readonly string[];
  /** Share of the question's weight that the best sentence and its heading cover, 0..1. */
  coverage: number;
}

/** How much a word shared with the heading counts beside one shared with the sentence itself. */
const HEADING_SHARE = 0.6;
/** The same for a word that stands elsewhere in the passage. */
const PASSAGE_SHARE = 0.3;
/** A word that is nowhere in the evidence may be said in other words there; a name or a figure may not. */
const UNSEEN_SHARE = 0.4;
/** A further sentence needs this share of the best one's score to be taken along. */
const ALSO_TAKEN = 0.8;
const MOST_SENTENCES = 3;
/** Bonus for a figure where the question asks for one, as a share of the question's weight. */
const FIGURE_BONUS = 0.15;
const ASKS_FOR_FIGURE =
  /\b(how (many|much|long|old|often|far|high|large|big|fast)|what (year|percent\w*|share|amount|number|size|total|price|time|date)|when|which year|ratio|rate|margin|revenue|sales|income|cost|limit|maximum|minimum|days?|hours?|minutes?)\b/i;
/** A figure that is not just a year. */
const FIGURE = /(?<![\d.,])(?!(?:19|20)\d\d\b)\d/;

interface Candidate {
  evidence: number;
  position: number;
  sentence: string;
  score: number;
  coverage: number;
}

/**
 * The sentences that share most with the question, weighted by how rare each word is among all sentences at
 * hand; words of the heading and of the rest of the passage count in part. Deterministic; ties go to the
 * earlier text.
 */
export function extractAnswerFrom(question: string, evidence: readonly Evidence[]): Extract {
  const asked = [...new Set(stemsOf(question))];
  const passages = evidence.map(({ heading, text }) => ({
    heading: new Set(stemsOf(heading)),
    all: new Set(stemsOf(text)),
    sentences: sentencesOf(text).map((sentence) => ({
      sentence,
      stems: new Set(stemsOf(sentence)),
    })),
  }));
  const weights = rarityWeights(
    asked,
    nameStemsOf(question),
    passages.flatMap(({ sentences }) => sentences),
  );
  const total = asked.reduce((sum, stem) => sum + weights.get(stem)!, 0);
  const wantsFigure = ASKS_FOR_FIGURE.test(question);
  const candidates: Candidate[] = [];
  passages.forEach(({ heading, all, sentences }, index) => {
    sentences.forEach(({ sentence, stems }, position) => {
      let own = 0;
      let around = 0;
      for (const stem of asked) {
        const weight = weights.get(stem)!;
        if (stems.has(stem)) own += weight;
        else if (heading.has(stem)) around += HEADING_SHARE * weight;
        else if (all.has(stem)) around += PASSAGE_SHARE * weight;
      }
      if (own === 0) return;
      const figure = wantsFigure && FIGURE.test(sentence) ? FIGURE_BONUS * total : 0;
      const coverage = (own + around) / total;
      candidates.push({
        evidence: index,
        position,
        sentence,
        score: own + around + figure,
        coverage,
      });
    });
  });
  candidates.sort(
    (a, b) => b.score - a.score || a.evidence - b.evidence || a.position - b.position,
  );
  const chosen = distinct(
    candidates.filter(({ score }) => score >= ALSO_TAKEN * candidates[0]!.score),
  ).slice(0, MOST_SENTENCES);
  return {
    answer: chosen.map(({ sentence }) => sentence).join(" "),
    sources: [...new Set(chosen.map((candidate) => evidence[candidate.evidence]!.id))],
    coverage: candidates.reduce((most, { coverage }) => Math.max(most, coverage), 0),
  };
}

/** log(1 + sentences / sentences with the stem): a word in every sentence says little. */
function rarityWeights(
  asked: readonly string[],
  names: ReadonlySet<string>,
  sentences: readonly { stems: ReadonlySet<string> }[],
): Map<string, number> {
  return new Map(
    asked.map((stem) => {
      const holding = sentences.filter(({ stems }) => stems.has(stem)).length;
      const weight = Math.log(1 + (sentences.length + 1) / (holding + 1));
      return [stem, holding === 0 && !names.has(stem) ? UNSEEN_SHARE * weight : weight];
    }),
  );
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence));
}
