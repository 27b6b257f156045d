import { z } from "zod";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Method, MethodAnswer } from "../../core/method.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import { answerOnce } from "../../pipelines/answer-format/answer-once.ts";
import { ANSWER_FORMAT_VERSION, finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import { type Passage, searchPassages } from "../../pipelines/passages/index.ts";

export const vanillaConfig = z.strictObject({
  k: z.int().min(1).max(200).default(5).describe("chunks in the prompt"),
});

export type VanillaConfig = z.input<typeof vanillaConfig>;

/** Raised when the prompt is put together differently. */
const VERSION = 1;

const systemPrompt = loadPrompt(new URL("./prompts/system.md", import.meta.url));
const questionPrompt = loadPrompt(new URL("./prompts/question.md", import.meta.url));

/** Vanilla RAG (section 5.1 of the paper): the best k chunks and the question in one call. */
export function createVanilla(config: VanillaConfig = {}): Method {
  const { k } = vanillaConfig.parse(config);
  const system = systemPrompt.render({
    final_format: finalFormatPrompt.render({ source_kind: "Numbers of the passages" }),
  });
  return {
    name: "vanilla",
    title: "Vanilla RAG",
    fingerprint: fingerprint({
      method: "vanilla",
      version: VERSION,
      k,
      prompts: [systemPrompt, questionPrompt, finalFormatPrompt].map((prompt) => prompt.hash),
      answerFormat: ANSWER_FORMAT_VERSION,
    }),
    scoredReads: true,
    async answer(question, context) {
      const passages = await searchPassages(context, question.text, k);
      if (passages.length > 0) {
        context.tracer.emit({ type: "read", items: passages.map(({ item }) => item) });
      }
      const answer = await answerOnce(context, {
        task: "vanilla.answer",
        messages: [
          { role: "system", content: system },
          {
            role: "user",
            content: questionPrompt.render({
              passages: passages.map(passageText).join("\n\n") || "(none was found)",
              question: question.text,
            }),
          },
        ],
        hints: {
          question: question.text,
          passages: passages.map(({ heading, text }) => ({ heading, text })),
        },
      });
      return withChunkIds(answer, passages);
    },
  };
}

function passageText({ heading, text }: Passage, position: number): string {
  return `[${position + 1}] ${heading}\n${text}`;
}

/** Sources given as passage numbers become chunk ids; anything else stays as the model wrote it. */
function withChunkIds(answer: MethodAnswer, passages: readonly Passage[]): MethodAnswer {
  const sources = answer.sources.map((source) => {
    const passage = /^\d{1,3}$/.test(source) ? passages[Number(source) - 1] : undefined;
    return passage?.item.id ?? source;
  });
  return { ...answer, sources };
}
