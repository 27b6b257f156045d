import { RitbenchError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";

/** What could be read of a reply; `cut` = it ended before its JSON did, and what was whole until then is given. */
export interface ReadJson {
  value: Json;
  cut: boolean;
}

/**
 * The JSON value inside a model's reply: fences and prose around it, trailing commas, raw line breaks inside strings
 * and the words None, True and False outside them are put up with. Strings are never changed.
 *
 * @throws RitbenchError E_REPLY_JSON when there is no value, or when it is cut and `cut` is not allowed
 */
export function readJson(reply: string, { allowCut = false } = {}): ReadJson {
  const start = reply.search(/[[{]/);
  if (start === -1) throw unreadable("no JSON in the reply", reply);
  const { text, open } = normalise(reply, start);
  const cut = open.length > 0;
  if (cut && !allowCut) throw unreadable("the JSON of the reply is cut off", reply);
  const whole = cut ? closeCut(text) : text;
  try {
    return { value: JSON.parse(whole) as Json, cut };
  } catch {
    throw unreadable("the JSON of the reply does not parse", reply);
  }
}

function unreadable(what: string, reply: string): RitbenchError {
  return new RitbenchError("E_REPLY_JSON", what, {
    got: reply.length > 120 ? `${reply.slice(0, 60)} ... ${reply.slice(-50)}` : reply,
  });
}

const WORDS: { readonly [word: string]: string } = { None: "null", True: "true", False: "false" };

/** Copies one value from `start` on, mended outside its strings. `open` = brackets still open at the end. */
function normalise(source: string, start: number): { text: string; open: string[] } {
  const open: string[] = [];
  let text = "";
  for (let at = start; at < source.length; ) {
    const character = source[at]!;
    if (character === '"') {
      const end = stringEnd(source, at);
      text += escapeControls(source.slice(at, end));
      at = end;
      continue;
    }
    const word = /^[A-Z][a-z]+/.exec(source.slice(at, at + 6))?.[0];
    if (word !== undefined && WORDS[word] !== undefined) {
      text += WORDS[word];
      at += word.length;
      continue;
    }
    if (character === "{" || character === "[") open.push(character);
    if (character === "}" || character === "]") {
      text = text.replace(/,\s*$/, "");
      open.pop();
    }
    text += character;
    at++;
    if (open.length === 0) return { text, open };
  }
  return { text, open };
}

/** Index behind the closing quote, or the end of the text. */
function stringEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === '"') return at + 1;
  }
  return source.length;
}

function escapeControls(literal: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids inside a string
  return literal.replace(/[\u0000-\u001f]/g, (character) =>
    character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Drops what was begun after the last whole object and closes the brackets that are open there. */
function closeCut(text: string): string {
  const open: string[] = [];
  let best = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at]!;
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    if (character === "}" || character === "]") {
      open.pop();
      best = text.slice(0, at + 1) + [...open].reverse().join("");
    }
    at++;
  }
  return best;
}
