import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

const LOCATION = /<loc>\s*(?:<!\[CDATA\[)?([^<\]]*?)(?:\]\]>)?\s*<\/loc>/g;

/** Page addresses of a sitemap, plain or zipped, in its order; those of further sitemaps are left out. Streamed. */
export async function* sitemapUrls(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const file = createReadStream(path, { signal });
  const bytes = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  if (bytes !== file) file.on("error", (error) => bytes.destroy(error));
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const block of bytes) {
    rest += decoder.decode(block as Buffer, { stream: true });
    let end = 0;
    for (const match of rest.matchAll(LOCATION)) {
      end = match.index + match[0].length;
      const url = decodeEntities(match[1]!);
      if (url !== "" && !/\.xml(?:\.gz)?$/i.test(url)) yield url;
    }
    rest = rest.slice(Math.max(end, rest.length - 8192));
  }
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => named[name]!);
}
