import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { messageOf, RitbenchError } from "../../core/errors.ts";

/** Words behind the `{{site.data.keyword.<name>}}` placeholders of a portal's Markdown, by name. */
export type Keyrefs = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{\{\s*site\.data\.(?:keyword\.)?([\w.-]+)\s*\}\}/g;

/**
 * Reads a `keyref.yaml`: `keyword: {<name>: <words>}`.
 *
 * @throws RitbenchError E_DATA_FORMAT for a file that is no YAML mapping.
 */
export async function readKeyrefs(path: string): Promise<Keyrefs> {
  let content: unknown;
  try {
    content = parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new RitbenchError("E_DATA_FORMAT", "a keyref file is not YAML", {
      where: path,
      got: messageOf(cause),
      cause,
    });
  }
  const keyword = (content as { keyword?: unknown } | null)?.keyword;
  const words = typeof keyword === "object" && keyword !== null ? Object.entries(keyword) : [];
  return new Map(
    words.flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

/** Puts words in place of placeholders, also of placeholders within words; those nobody explains are dropped. */
export function resolveKeyrefs(text: string, keyrefs: readonly Keyrefs[]): string {
  const resolve = (value: string, depth: number): string =>
    value.replace(PLACEHOLDER, (_, name: string) => {
      const words = keyrefs.find((map) => map.has(name))?.get(name) ?? "";
      return depth > 0 ? resolve(words, depth - 1) : "";
    });
  return resolve(text, 4);
}
