import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Tokenizer as HubTokenizer } from "@huggingface/tokenizers";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import { memoisedCount } from "./memo.ts";
import type { Seams, Tokenizer } from "./tokenizer.ts";

/** The parts of `tokenizer.json` that decide where a text may be taken apart. */
interface TokenizerFile {
  normalizer: { type?: string } | null;
  pre_tokenizer: { type?: string; add_prefix_space?: boolean; use_regex?: boolean } | null;
  model: { type?: string };
  added_tokens?: readonly { content: string; lstrip?: boolean; rstrip?: boolean }[];
}

/** `model_max_length` of models without a limit is a huge float. */
const NO_LIMIT = 1e9;

/**
 * The tokenizer of an encoder's folder (`tokenizer.json`, `tokenizer_config.json`, `config.json`). The file's
 * own truncation and padding play no part: they belong to encoding, not to counting.
 *
 * @throws RitbenchError E_TOKENIZER_MISSING, E_TOKENIZER_BROKEN
 */
export function modelTokenizer(folder: string): Tokenizer {
  const path = join(folder, "tokenizer.json");
  if (!existsSync(path)) {
    throw new RitbenchError("E_TOKENIZER_MISSING", "the encoder's tokenizer is absent", {
      where: path,
      next: "take a folder that holds tokenizer.json, tokenizer_config.json and config.json",
    });
  }
  const { truncation: _truncation, padding: _padding, ...file } = readJson(path);
  const config = readJson(join(folder, "tokenizer_config.json"));
  const hub = openHubTokenizer(path, file, config);
  const specials = hub.encode("").ids.length;
  const window = windowOf(config, readJson(join(folder, "config.json")));
  const seams = seamsOf(file as unknown as TokenizerFile);
  const raw = (text: string): number => hub.tokenize(text, { add_special_tokens: false }).length;
  const memoised = memoisedCount(raw);
  return {
    id: basename(folder),
    fingerprint: fingerprint({ tokenizer: file, config, version: 1 }),
    ...(window === undefined ? {} : { contentWindow: window - specials }),
    seams,
    // Blanks carry no piece where line breaks are seams, so "word" and " word" share an entry.
    count: seams === "line" ? (text) => memoised(text.replace(/^[ \t\n\r]+/, "")) : memoised,
  };
}

function openHubTokenizer(path: string, file: object, config: object): HubTokenizer {
  try {
    return new HubTokenizer(file, config);
  } catch (cause) {
    throw new RitbenchError(
      "E_TOKENIZER_BROKEN",
      `the tokenizer cannot be used: ${messageOf(cause)}`,
      {
        where: path,
        next: "fetch the encoder's files again",
        cause,
      },
    );
  }
}

function readJson(path: string): { [key: string]: unknown } {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new RitbenchError("E_TOKENIZER_BROKEN", "the file is not JSON", {
      where: path,
      got: messageOf(cause),
      next: "fetch the encoder's files again",
    });
  }
}

/** The smaller of what the tokenizer and the network allow. */
function windowOf(tokenizer: object, network: object): number | undefined {
  const limits = [
    (tokenizer as { model_max_length?: unknown }).model_max_length,
    (network as { max_position_embeddings?: unknown }).max_position_embeddings,
  ].filter((limit): limit is number => typeof limit === "number" && limit > 0 && limit < NO_LIMIT);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/**
 * BERT's pre-tokenizer parts words at every space and drops the spaces; GPT-2's keeps a space with the word
 * after it and never joins a word with a space behind it. Other pipelines (SentencePiece, other patterns,
 * tokens that swallow spaces behind them) give no such promise.
 */
function seamsOf({ normalizer, pre_tokenizer, model, added_tokens }: TokenizerFile): Seams {
  const swallows = (added_tokens ?? []).some(
    ({ content, rstrip }) => rstrip === true || (/\S/.test(content) && /\s/.test(content)),
  );
  if (swallows) return "none";
  if (
    normalizer?.type === "BertNormalizer" &&
    pre_tokenizer?.type === "BertPreTokenizer" &&
    model.type === "WordPiece"
  ) {
    return "line";
  }
  const plainNormalizer = normalizer === null || normalizer?.type === "NFC";
  const gpt2 =
    pre_tokenizer?.type === "ByteLevel" &&
    pre_tokenizer.add_prefix_space === false &&
    pre_tokenizer.use_regex !== false;
  return plainNormalizer && gpt2 && model.type === "BPE" ? "blank" : "none";
}
