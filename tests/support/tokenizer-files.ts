/**
 * A small `tokenizer.json` of ModernBERT's kind: byte-level BPE with GPT-2's pattern, added tokens for runs of
 * blanks, and a mask token that takes the blanks before it.
 */
export function byteLevelTokenizerFile(): { [key: string]: unknown } {
  const bytes = byteLetters();
  const merges = ["t h", "th e", "h e", "Ġ the"];
  const vocabulary = [...bytes, ...merges.map((merge) => merge.replace(" ", ""))];
  const added = (content: string, rest: object) => ({
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: true,
    special: false,
    ...rest,
  });
  return {
    version: "1.0",
    truncation: { direction: "Right", max_length: 8, strategy: "LongestFirst", stride: 0 },
    padding: null,
    added_tokens: [
      added("[MASK]", { lstrip: true, normalized: false, special: true }),
      added("<pad>", { normalized: false, special: true }),
      added("   ", {}),
      added("  ", {}),
    ].map((token, index) => ({ id: vocabulary.length + index, ...token })),
    normalizer: { type: "NFC" },
    pre_tokenizer: {
      type: "ByteLevel",
      add_prefix_space: false,
      trim_offsets: true,
      use_regex: true,
    },
    post_processor: null,
    decoder: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      unk_token: null,
      vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
      merges,
    },
  };
}

/** GPT-2's letter for each byte: printable ones stand for themselves, the rest are moved up by 256 in order. */
function byteLetters(): string[] {
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable =
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    return String.fromCharCode(printable ? byte : 256 + moved++);
  });
}
