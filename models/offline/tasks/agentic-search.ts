import { readConversation } from "../conversation.ts";
import { extractAnswerFrom } from "../extract.ts";
import { missingWords, passagesOf } from "../passages.ts";
import { extractiveAnswer, type OfflineTask, toolTurn } from "../task.ts";

/** From this share on a search is not refined. */
const CLEAR_COVERAGE = 0.6;
const MOST_SEARCHES = 3;

/** `agentic-search.turn`: searches with the question, then with the words no passage has had, then answers. */
export const agenticSearchTurn: OfflineTask = (request) => {
  const { question, calls, mustAnswer } = readConversation(request);
  const searches = calls.filter(({ name }) => name === "search_corpus");
  const evidence = passagesOf(searches);
  if (mustAnswer) return extractiveAnswer(question, evidence);
  if (searches.length === 0) {
    return toolTurn("Nothing is known yet.", "search_corpus", { query: question });
  }
  const { coverage } = extractAnswerFrom(question, evidence);
  const query = missingWords(question, evidence);
  const tried = searches.some((search) => JSON.stringify(search.arguments).includes(query));
  if (coverage >= CLEAR_COVERAGE || searches.length >= MOST_SEARCHES || query === "" || tried) {
    return extractiveAnswer(question, evidence);
  }
  return toolTurn(
    `The passages cover ${Math.round(coverage * 100)}% of the question; some of its words are missing.`,
    "search_corpus",
    { query },
  );
};
