import { createHash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** Hash of everything that changes behaviour; printed beside figures, compared before resuming, caching or comparing. */
export type Fingerprint = string & { readonly __brand: "Fingerprint" };

/** First 16 hex digits of the SHA-256 of the value's canonical JSON. */
export function fingerprint(value: unknown): Fingerprint {
  return sha256(canonicalJson(value)).slice(0, 16) as Fingerprint;
}

/** SHA-256 in hex of a text (UTF-8) or of bytes. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
