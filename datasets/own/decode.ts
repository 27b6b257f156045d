/** A file's text, and which encoding was taken where it is not UTF-8. */
export interface DecodedText {
  text: string;
  encoding?: string;
}

/**
 * Text of a file: UTF-8, or what its byte-order mark or HTML `charset` says, else Windows-1252, which maps every
 * byte to some character. Undefined for bytes that are no text (they hold NUL).
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs("utf-16le", bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs("utf-16be", bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return decodeAs(declaredCharset(bytes) ?? "windows-1252", bytes);
  }
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const label = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  // A label of UTF-8 is wrong here: the bytes have just failed to be that.
  return label === undefined || /^utf-?8$/i.test(label) ? undefined : label;
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedText {
  const decoder = decoderFor(encoding);
  const text = decoder.decode(bytes);
  return decoder.encoding === "windows-1252"
    ? { text: mendWindows1252(text), encoding: "windows-1252" }
    : { text, encoding: decoder.encoding };
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder("windows-1252");
  }
}

/** What Windows-1252 has at 0x80 to 0x9F. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ";

/** Node 20 decodes Windows-1252 as Latin-1, which has control characters where the former has quotes and the euro sign. */
function mendWindows1252(text: string): string {
  return text.replace(
    /[\u0080-\u009F]/g,
    (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!,
  );
}
