import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type Fingerprint, fingerprint } from "./fingerprint.ts";

/** A prompt kept as a Markdown file: front matter with `name` and `version`, then the text with `{{slots}}`. */
export interface PromptFile {
  readonly name: string;
  /** Raised with every change of wording. */
  readonly version: number;
  /** Hash of name, version and text; part of the fingerprint of whatever uses the prompt. */
  readonly hash: Fingerprint;
  /** The text below the front matter, trimmed, slots unfilled. */
  readonly text: string;
  /**
   * Fills every `{{slot}}` in one pass, so that a slot written inside a value stays as it is.
   *
   * @throws Error when a slot has no value (a programming fault).
   */
  render(values?: { readonly [slot: string]: string }): string;
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n?/;
const SLOT = /\{\{(\w+)\}\}/g;

/**
 * Reads a prompt file.
 *
 * @example const system = loadPrompt(new URL("./prompts/system.md", import.meta.url));
 * @throws Error when the file is absent or has no `name` and integer `version` in its front matter.
 */
export function loadPrompt(url: URL): PromptFile {
  return parsePrompt(readFileSync(url, "utf8"), fileURLToPath(url));
}

/** {@link loadPrompt} on a text at hand; `where` names it in errors. */
export function parsePrompt(source: string, where: string): PromptFile {
  const content = source.replaceAll("\r\n", "\n");
  const header = FRONT_MATTER.exec(content);
  const fields: unknown = header ? parse(header[1]!) : undefined;
  const { name, version } = (fields ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== "string" || typeof version !== "number" || !Number.isInteger(version)) {
    throw new Error(`prompt file ${where} needs front matter with a name and an integer version`);
  }
  const text = content.slice(header![0].length).trim();
  return {
    name,
    version,
    hash: fingerprint({ name, version, text }),
    text,
    render(values = {}) {
      return text.replace(SLOT, (_, slot: string) => {
        const value = Object.hasOwn(values, slot) ? values[slot] : undefined;
        if (value === undefined) throw new Error(`prompt ${name}: no value for {{${slot}}}`);
        return value;
      });
    },
  };
}
