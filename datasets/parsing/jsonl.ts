import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { messageOf, RitbenchError } from "../../core/errors.ts";

/** One record of a JSON Lines file and the 1-based line it stands on. */
export interface JsonlRow<T> {
  value: T;
  line: number;
}

/**
 * Streams a JSON Lines file, unzipped where its name ends in `.gz`; blank lines and a byte-order mark are passed over.
 *
 * @throws RitbenchError E_DATA_MISSING without the file, E_DATA_FORMAT with file and line for text that is no
 * JSON or does not fit `schema`.
 */
export async function* readJsonl<S extends z.ZodType>(
  path: string,
  schema: S,
  signal?: AbortSignal,
): AsyncGenerator<JsonlRow<z.infer<S>>> {
  let line = 0;
  for await (const text of readLines(path, signal)) {
    line++;
    if (text.trim() === "") continue;
    const where = `${path}:${line}`;
    yield { value: parseRecord(schema, parseJson(text, where), where), line };
  }
}

/**
 * Reads JSON from a data file.
 *
 * @throws RitbenchError E_DATA_FORMAT that names `where`
 */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RitbenchError("E_DATA_FORMAT", "this is not JSON", {
      where,
      expected: "one JSON value",
      got: messageOf(cause),
      next: "fetch or export the file again",
      cause,
    });
  }
}

/**
 * Checks a value read from a data file.
 *
 * @throws RitbenchError E_DATA_FORMAT that names `where` and the field.
 */
export function parseRecord<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new RitbenchError("E_DATA_FORMAT", "a record does not have the fields it should have", {
    where: issue.path.length === 0 ? where : `${where} field ${issue.path.join(".")}`,
    expected: issue.message,
    got: describe(value),
    next: "compare the file with the layout in the data set's README",
  });
}

function describe(value: unknown): string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return (JSON.stringify(value) ?? "nothing").slice(0, 80);
  }
  return `fields ${Object.keys(value).slice(0, 12).join(", ")}`;
}

/**
 * Lines of a text file without their line ends. Splits at `\n` alone: U+2028 and its kin may stand inside a JSON
 * string, where `node:readline` would cut.
 */
async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const file = createReadStream(path, signal === undefined ? {} : { signal });
  const bytes = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  if (bytes !== file) file.on("error", (error) => bytes.destroy(error));
  const decoder = new TextDecoder("utf-8");
  let rest: string[] = [];
  try {
    for await (const block of bytes) {
      const text = decoder.decode(block as Buffer, { stream: true });
      let start = 0;
      for (;;) {
        const end = text.indexOf("\n", start);
        if (end < 0) break;
        rest.push(text.slice(start, end));
        yield rest.length === 1 ? rest[0]! : rest.join("");
        rest = [];
        start = end + 1;
      }
      if (start < text.length) rest.push(text.slice(start));
    }
  } catch (cause) {
    if (signal?.aborted) throw cause;
    if (cause instanceof RitbenchError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    throw new RitbenchError(
      code === "ENOENT" ? "E_DATA_MISSING" : "E_DATA_FORMAT",
      code === "ENOENT" ? "a data file is absent" : "a data file cannot be read",
      {
        where: path,
        got: messageOf(cause),
        next: "bring the file with `ritbench data fetch`",
        cause,
      },
    );
  } finally {
    file.destroy();
  }
  const last = rest.join("") + decoder.decode();
  if (last !== "") yield last;
}
