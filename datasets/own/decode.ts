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
  try {
    const decoder = new TextDecoder(encoding);
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252" };
  }
}
