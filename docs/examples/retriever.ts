import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { type Documents, RitbenchRetriever } from "ritbench";

const prompt = ChatPromptTemplate.fromMessages([
  ["system", "Answer from these passages alone:\n\n{passages}"],
  ["human", "{question}"],
]);

/** The hybrid retriever in a chain: plain retrieval, no agent. */
export function passageChain(model: BaseChatModel, documents: Documents) {
  const { corpus, chunks, retriever } = documents;
  const passages = new RitbenchRetriever({ corpus, chunks, retriever, k: 5 }).pipe((found) =>
    found
      .map(({ pageContent, metadata }) => `[${metadata.titlePath.join(" > ")}]\n${pageContent}`)
      .join("\n\n"),
  );
  return RunnableSequence.from<string, string>([
    { passages, question: new RunnablePassthrough() },
    prompt,
    model,
    new StringOutputParser(),
  ]);
}
