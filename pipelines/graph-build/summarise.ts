import { join } from "node:path";
import { fingerprint } from "../../core/fingerprint.ts";
import type { BuildContext } from "../../core/method.ts";
import { cutO200k, fitsO200k } from "../../core/o200k.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import { type BuildUnit, describeBuild, type OpenBuild, runBuild } from "../builds/index.ts";
import { cleanField } from "../graph-records/read-records.ts";
import { buildRun } from "./extract.ts";

export const summariseGraphPrompt = loadPrompt(new URL("./prompts/summarise.md", import.meta.url));

/** Longest input, as upstream (notes 7.1), and what the prompt and the reply need beside it. */
const WINDOW_TOKENS = 32_768;
const REPLY_TOKENS = 500;
const PROMPT_TOKENS = 500;

/** A text field that is too long to be shown as it was joined. */
export interface LongText {
  table: string;
  id: string;
  field: string;
  name: string;
  text: string;
}

interface LongUnit extends BuildUnit {
  long: LongText;
}

/** Whether a field has at least so many tokens. */
export function isLong(text: string, tokens: number): boolean {
  return !fitsO200k(text, tokens - 1);
}

export function summaryKey({ table, id, field }: Omit<LongText, "name" | "text">): string {
  return `${table}/${id}/${field}`;
}

/** Rewrites long descriptions, one call each, as a build of its own below the method's folder. */
export function summariseTexts(
  kind: string,
  texts: readonly LongText[],
  context: BuildContext,
): Promise<OpenBuild<string>> {
  const { model, corpus } = context;
  const what = describeBuild({
    kind: `${kind}.summaries`,
    corpus: corpus.summary.hash,
    model,
    prompts: [summariseGraphPrompt],
    parameters: { version: 1, texts: fingerprint(texts) },
  });
  return runBuild<LongUnit, string>({
    ...buildRun(context, "descriptions"),
    folder: join(context.folder, `summaries-${fingerprint(what)}`),
    what,
    model,
    unit: "description",
    total: texts.length,
    units: () =>
      texts.map((long) => ({
        key: summaryKey(long),
        size: long.text.length,
        text: () => long.text,
        long,
      })),
    async process({ long }, { model }) {
      const room = Math.min(WINDOW_TOKENS, model.contextTokens) - REPLY_TOKENS - PROMPT_TOKENS;
      const statements = cutO200k(long.text, Math.max(1, room));
      const { message } = await model.call({
        task: "graph.summarise",
        messages: [
          {
            role: "user",
            content: summariseGraphPrompt.render({ kind: long.table, name: long.name, statements }),
          },
        ],
        maxTokens: REPLY_TOKENS,
        hints: { statements },
      });
      const value = cleanField(message.content);
      return { value, records: value === "" ? 0 : 1 };
    },
  });
}
