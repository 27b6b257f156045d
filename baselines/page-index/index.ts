import type { Method, MethodAnswer, MethodContext } from "../../core/method.ts";
import { agentFingerprint, runAgent } from "../../pipelines/agent-loop/index.ts";
import { answerOnce } from "../../pipelines/answer-format/answer-once.ts";
import { type PageIndexConfig, pageIndexConfig } from "./config.ts";
import { viewDocument } from "./document-view.ts";
import { noDocumentPrompt, promptHashes, systemPrompt } from "./prompts.ts";
import { selectDocument } from "./select-document.ts";
import { pageIndexTools } from "./tools.ts";

export { type PageIndexConfig, pageIndexConfig } from "./config.ts";
export { docScore } from "./select-document.ts";

/** Raised when selection, views or tools behave differently. */
const VERSION = 1;

const TASK = "page-index.turn";

/**
 * PageIndex (section 5.1 and App. B.2 of the paper): chunks choose one document, then an agent looks at its table of
 * contents and reads pages of it. There is no way to another document.
 */
export function createPageIndex(config: PageIndexConfig = {}): Method {
  const parameters = pageIndexConfig.parse(config);
  const system = systemPrompt(parameters);
  return {
    name: "page-index",
    title: "PageIndex",
    fingerprint: agentFingerprint({
      method: "page-index",
      version: VERSION,
      parameters,
      prompts: promptHashes,
    }),
    scoredReads: true,
    fits: ({ summary }) =>
      summary.singleTree
        ? {
            fits: false,
            reason: "the corpus is one tree, too large to lay before a model as one document",
          }
        : { fits: true },
    async answer({ text }, context) {
      const selected = await selectDocument(context, text, parameters);
      if (selected === undefined) return answerWithout(text, context);
      return runAgent(
        {
          task: TASK,
          system,
          question: text,
          tools: pageIndexTools(context, viewDocument(context.corpus, selected.index)),
          limits: { calls: parameters.B },
        },
        context,
      );
    },
  };
}

/** No chunk matches, so there is no document to open: one call says so in the common format. */
function answerWithout(question: string, context: MethodContext): Promise<MethodAnswer> {
  return answerOnce(
    context,
    {
      task: TASK,
      messages: [
        { role: "system", content: noDocumentPrompt },
        { role: "user", content: question },
      ],
      hints: { question },
    },
    ["noRead"],
  );
}
