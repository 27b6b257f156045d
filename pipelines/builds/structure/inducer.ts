import type { z } from "zod";
import { messageOf, RitbenchError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import type { ChatMessage, ChatModel } from "../../../core/model.ts";
import { type AskedJson, type AskOptions, askJson } from "../reply/ask-json.ts";
import { endsBuild } from "../stage/recorded-model.ts";
import type { PromptPages } from "./pages.ts";
import { type StructureTask, structurePrompts } from "./prompts.ts";

/** PageIndex's settings, under its defaults. */
export interface StructureSettings {
  /** Pages at the front in which a table of contents is looked for. */
  tocCheckPages: number;
  /** A node longer than both limits is split further. Page groups are bound by the token limit too. */
  maxPagesPerNode: number;
  maxTokensPerNode: number;
  /** What becomes of a table of contents without page numbers: `outline` ignores it as upstream does, `fill` looks its sections up. */
  tocWithoutNumbers: "outline" | "fill";
}

export const defaultStructureSettings: StructureSettings = {
  tocCheckPages: 20,
  maxPagesPerNode: 10,
  maxTokensPerNode: 20_000,
  tocWithoutNumbers: "outline",
};

/** What all steps of one document's induction share. */
export interface Inducer {
  readonly pages: PromptPages;
  readonly settings: StructureSettings;
  /** Tokens of pages that one prompt may hold: half the model's window. */
  readonly windowTokens: number;
  /** Tokens of a group of pages: the node limit, or the window's share where that is smaller. */
  readonly groupTokens: number;
  /** One call, asked again while its JSON cannot be read. */
  ask<T>(
    task: StructureTask,
    slots: { readonly [slot: string]: string },
    hints: { readonly [name: string]: Json },
    schema: z.ZodType<T>,
  ): Promise<T>;
  /** One turn of a longer conversation. */
  talk<T>(
    task: StructureTask,
    messages: readonly ChatMessage[],
    hints: { readonly [name: string]: Json },
    schema: z.ZodType<T>,
    options?: AskOptions,
  ): Promise<AskedJson<T>>;
  /** A sentence for whoever looks at the document's tree. */
  warn(sentence: string): void;
}

export function createInducer(
  model: ChatModel,
  pages: PromptPages,
  settings: StructureSettings,
  warn: (sentence: string) => void,
): Inducer {
  const talk: Inducer["talk"] = (task, messages, hints, schema, options) =>
    askJson(model, { task: `structure.${task}`, messages, hints }, schema, options);
  const windowTokens = windowShare(model);
  return {
    pages,
    settings,
    windowTokens,
    groupTokens: Math.min(settings.maxTokensPerNode, windowTokens),
    talk,
    async ask(task, slots, hints, schema) {
      const content = structurePrompts[task].render(slots);
      return (await talk(task, [{ role: "user", content }], hints, schema)).value;
    },
    warn,
  };
}

/** The other half is for the prompt's words, lists of entries and the reply. */
export function windowShare({ contextTokens }: Pick<ChatModel, "contextTokens">): number {
  return Math.floor(contextTokens / 2);
}

/** Runs a step that the document can do without: a failed call or unreadable reply gives `fallback` and a warning. */
export async function orElse<T>(
  inducer: Inducer,
  what: string,
  fallback: T,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (endsBuild(error)) throw error;
    inducer.warn(`${what} failed: ${messageOf(error)}`);
    return fallback;
  }
}

/** No structure can be made by this way; the next one is tried. */
export function modeFailed(reason: string): RitbenchError {
  return new RitbenchError(MODE_FAILED, reason);
}

const MODE_FAILED = "E_STRUCTURE_MODE";

/** Whether an error means that one mode failed, not the build. */
export function isModeFailure(error: unknown): boolean {
  return (error instanceof RitbenchError && error.code === MODE_FAILED) || !endsBuild(error);
}
