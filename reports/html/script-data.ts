import { sha256 } from "../../core/fingerprint.ts";

/**
 * A value as a script that a page without a server can load: `ritbenchData["<name>"] = JSON.parse('...')`. The text is
 * data only, whatever it holds: no quote or line end leaves the string, no `<` can end a script element, and
 * `__proto__` stays a key.
 */
export function scriptData(name: string, json: string): string {
  return `${scriptHead(name)}${scriptText(json)}${SCRIPT_TAIL}`;
}

/** Characters of a long text that are given on at once. */
const PIECE_CHARACTERS = 1 << 16;

/** The same for a JSON text that comes piece by piece. */
export function* scriptPieces(name: string, json: Iterable<string>): Generator<string> {
  let pending = scriptHead(name);
  for (const piece of json) {
    pending += scriptText(piece);
    if (pending.length < PIECE_CHARACTERS) continue;
    yield pending;
    pending = "";
  }
  yield pending + SCRIPT_TAIL;
}

function scriptHead(name: string): string {
  return `(window.ritbenchData ??= {})[${JSON.stringify(name)}] = JSON.parse('`;
}

const SCRIPT_TAIL = "');\n";

/** A piece of JSON as it stands inside the script's quotes. */
function scriptText(json: string): string {
  return json.replace(/[\\'<>\u2028\u2029]/g, (character) =>
    character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const NAME_DIGITS = 16;

/** Name of a question's data file without its ending. A hash: ids come from documents and may hold `../`. */
export function questionFile(dataset: string, questionId: string): string {
  return `q-${sha256(JSON.stringify([dataset, questionId])).slice(0, NAME_DIGITS)}`;
}
