import type { Json } from "../../../core/json.ts";
import { isObject, readConversation } from "../conversation.ts";
import { type Evidence, extractAnswerFrom } from "../extract.ts";
import { missingWords, passagesOf } from "../passages.ts";
import { extractiveAnswer, type OfflineReply, type OfflineTask, toolTurn } from "../task.ts";
import { contentWords } from "../words.ts";

/** From this share on nothing further is searched for. */
const CLEAR_COVERAGE = 0.6;
const MOST_SEARCHES = 3;
const WIDER = 10;

/** What the next search is, or why there is none. */
interface Step {
  path: "Proceed" | "Reflect & Refine" | "Conclude";
  reason: string;
  search?: { readonly [field: string]: Json };
}

/** The question by meaning and by words, then the words that no passage has had, over more passages. */
function nextStep(question: string, tried: readonly Json[], evidence: readonly Evidence[]): Step {
  if (tried.length === 0) {
    const search = { semantic_query: question, exact_keywords: contentWords(question) };
    return { path: "Proceed", reason: "Nothing has been searched yet.", search };
  }
  const covered = Math.round(extractAnswerFrom(question, evidence).coverage * 100);
  const reason = `The passages cover ${covered}% of the question.`;
  const keywords = missingWords(question, evidence).split(" ");
  const search = { exact_keywords: keywords, n: WIDER };
  const known = tried.some((args) => JSON.stringify(args) === JSON.stringify(search));
  const done = covered >= CLEAR_COVERAGE * 100 || tried.length >= MOST_SEARCHES;
  if (done || known || keywords[0] === "") return { path: "Conclude", reason };
  return { path: "Reflect & Refine", reason: `${reason} Some of its words are missing.`, search };
}

/** `interact-rag.plan`: every question is one step. */
export const interactPlan: OfflineTask = ({ hints }) => {
  const words = contentWords(String(hints?.question ?? "")).join(", ");
  return { content: `1. One search with all conditions of the question: ${words}.` };
};

/** `interact-rag.reason`: the path that the executor's rule will take. */
export const interactReason: OfflineTask = ({ messages, hints }) => {
  const texts = messages.map(({ content }) => content);
  const tried = bodies(texts, "[SEARCH]\n");
  const results = bodies(texts, "[RESULT]\n").map((result) => ({ result }));
  const question = String(hints?.question ?? "");
  const { path, reason, search } = nextStep(question, tried, passagesOf(results));
  const next = search === undefined ? "" : ` Next search: ${JSON.stringify(search)}`;
  return { content: `${reason} ${path}.${next}` };
};

/** `interact-rag.turn`: searches as the reasoner's rule says, then answers from the passages. */
export const interactTurn: OfflineTask = (request): OfflineReply => {
  const { question, calls, mustAnswer } = readConversation(request);
  const evidence = passagesOf(calls);
  const tried = calls.map((call) => call.arguments);
  const { path, reason, search } = nextStep(question, tried, evidence);
  if (mustAnswer || search === undefined) return extractiveAnswer(question, evidence);
  return toolTurn(`${path}: ${reason}`, "interact_search", search);
};

function bodies(texts: readonly string[], head: string): Json[] {
  return texts
    .filter((text) => text.startsWith(head))
    .map((text) => {
      try {
        const body = JSON.parse(text.slice(head.length)) as Json;
        return isObject(body) ? body : null;
      } catch {
        return null;
      }
    });
}
