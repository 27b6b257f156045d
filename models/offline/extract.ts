import { sentencesOf, stemsOf } from "./words.ts";

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
/** A neighbour of the best sentence needs this share of its score to be taken along. */
const ALSO_TAKEN = 0.75;
const MOST_SENTENCES = 3;
/** Bonus for a figure where the question asks for one, as a share of the question's weight. */
const FIGURE_BONUS = 0.15;
const ASKS_FOR_FIGURE =
  /\b(how (many|much|long|old|often|far|high|large|big|fast)|what (year|percent\w*|share|amount|number|size|total|price|time|date)|when|which year|ratio|rate|margin|revenue|sales|income|cost|limit|maximum|minimum|days?|hours?|minutes?)\b/i;

interface Candidate {
  evidence: number;
  position: number;
  sentence: string;
  score: number;
}

/**
 * The sentences that share most with the question, weighted by how rare each word is among all sentences at
 * hand, the words of their headings counting in part. Deterministic; ties go to the earlier text.
 */
export function extractAnswerFrom(question: string, evidence: readonly Evidence[]): Extract {
  const asked = [...new Set(stemsOf(question))];
  const sentences = evidence.map(({ text }) =>
    sentencesOf(text).map((sentence) => ({ sentence, stems: new Set(stemsOf(sentence)) })),
  );
  const weights = rarityWeights(asked, sentences.flat());
  const total = sum(asked, (stem) => weights.get(stem)!);
  if (total === 0) return { answer: "", sources: [], coverage: 0 };
  const wantsFigure = ASKS_FOR_FIGURE.test(question);
  const candidates: Candidate[] = [];
  let coverage = 0;
  evidence.forEach(({ heading }, index) => {
    const headingStems = new Set(stemsOf(heading));
    sentences[index]!.forEach(({ sentence, stems }, position) => {
      const own = sum(asked, (stem) => (stems.has(stem) ? weights.get(stem)! : 0));
      if (own === 0) return;
      const above = sum(asked, (stem) =>
        !stems.has(stem) && headingStems.has(stem) ? HEADING_SHARE * weights.get(stem)! : 0,
      );
      const figure = wantsFigure && /\d/.test(sentence) ? FIGURE_BONUS * total : 0;
      coverage = Math.max(coverage, (own + above) / total);
      candidates.push({ evidence: index, position, sentence, score: own + above + figure });
    });
  });
  candidates.sort(
    (a, b) => b.score - a.score || a.evidence - b.evidence || a.position - b.position,
  );
  const best = candidates[0]?.score ?? 0;
  const chosen = distinct(candidates.filter(({ score }) => score >= ALSO_TAKEN * best)).slice(
    0,
    MOST_SENTENCES,
  );
  const sources = chosen.map((candidate) => evidence[candidate.evidence]!.id);
  return {
    answer: chosen.map(({ sentence }) => sentence).join(" "),
    sources: [...new Set(sources)],
    coverage,
  };
}

/** log(1 + sentences / sentences with the stem): a word in every sentence says little, a word in none counts as rare. */
function rarityWeights(
  asked: readonly string[],
  sentences: readonly { stems: ReadonlySet<string> }[],
): Map<string, number> {
  return new Map(
    asked.map((stem) => {
      const holding = sentences.filter(({ stems }) => stems.has(stem)).length;
      return [stem, Math.log(1 + (sentences.length + 1) / (holding + 1))];
    }),
  );
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence));
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
