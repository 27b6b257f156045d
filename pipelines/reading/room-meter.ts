import { countO200k, cutO200k, fitsO200k } from "../../core/o200k.ts";

/** Shorter pieces of a text are not worth a place. */
const SMALLEST_PIECE_TOKENS = 50;

type Fields = { readonly [field: string]: unknown };

export interface PlacedText {
  /** Name and text as they go into a tool's result, or the name and why there is no room. */
  entry: Fields;
  /** How far the text got in, in UTF-16 units; 0 = not at all. */
  end: number;
}

/** Places texts whole while they fit, then one cut with a notice, then none (A22). */
export function roomMeter(roomTokens: number) {
  let left = roomTokens;
  let droppedTokens = 0;
  return {
    get droppedTokens() {
      return droppedTokens;
    },
    /** `name` says which text it is, whether it fits or not. */
    place(name: Fields, text: Fields & { content: string }): PlacedText {
      const whole = { ...name, ...text };
      const json = JSON.stringify(whole);
      if (fitsO200k(json, left)) {
        left -= countO200k(json);
        return { entry: whole, end: text.content.length };
      }
      const tokens = countO200k(text.content);
      const notice = `only the beginning of ${tokens} tokens: the context window is nearly full`;
      const frame = countO200k(JSON.stringify({ ...whole, content: "", notice }));
      const part = cutToJson(text.content, left - frame);
      left = 0;
      if (part === "") {
        droppedTokens += tokens;
        const next = "answer from what you have read";
        return { entry: { ...name, error: "no_room", next }, end: 0 };
      }
      droppedTokens += tokens - countO200k(part);
      return { entry: { ...whole, content: part, notice }, end: part.length };
    },
  };
}

/** The beginning of a text whose JSON form has at most `limit` tokens; empty when that is hardly anything. */
function cutToJson(text: string, limit: number): string {
  for (let allowed = limit; allowed >= SMALLEST_PIECE_TOKENS; allowed = Math.floor(allowed * 0.9)) {
    const part = cutO200k(text, allowed);
    if (fitsO200k(JSON.stringify(part), limit)) return part;
  }
  return "";
}
