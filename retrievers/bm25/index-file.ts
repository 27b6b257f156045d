import { RitbenchError } from "../../core/errors.ts";
import type { Fingerprint } from "../../core/fingerprint.ts";
import { type AnalyzerConfig, createAnalyzer } from "../analyzer/analyzer.ts";
import { type Bm25Data, type Bm25Index, createBm25Index } from "./bm25-index.ts";
import { bytesOf } from "./bytes.ts";
import type { Bm25Parameters } from "./scoring.ts";
import { createSectionFile, openSectionFile } from "./section-file.ts";

/** Layout of the file, see README.md. Raised when a section changes its meaning. */
const FILE_VERSION = 1;

/** Kept beside the sections. The fingerprint is compared with what today's analyzer code makes of the config. */
interface Header {
  analyzer: AnalyzerConfig;
  analyzerFingerprint: string;
  parameters: Bm25Parameters;
  source: string | null;
}

/** Everything but the postings, which are streamed. */
export type Bm25Head = Omit<Bm25Data, "chunks" | "tfs">;

/** Feeds one field of all postings, by term, then chunk, to `write`. */
export type PostingFeed = (field: "chunks" | "tfs", write: (bytes: Uint8Array) => void) => void;

/** @throws RitbenchError E_INDEX_WRITE; nothing is left behind then. */
export function writeIndexFile(path: string, head: Bm25Head, feed: PostingFeed): void {
  const file = createSectionFile(path, FILE_VERSION);
  try {
    const whole: [string, Uint8Array | Uint32Array][] = [
      ["lengths", head.lengths],
      ["term-slots", head.terms.slots],
      ["term-starts", head.terms.starts],
      ["term-bytes", head.terms.bytes],
      ["frequencies", head.frequencies],
      ["large", head.large],
    ];
    for (const [name, array] of whole) {
      file.begin(name);
      file.write(bytesOf(array));
    }
    for (const field of ["chunks", "tfs"] as const) {
      file.begin(field);
      feed(field, file.write);
    }
    file.finish({
      analyzer: { ...head.analyzer },
      analyzerFingerprint: createAnalyzer(head.analyzer).fingerprint,
      parameters: { ...head.parameters },
      source: head.source ?? null,
    } satisfies Header);
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** Writes an index held in memory. */
export function saveBm25(path: string, { data }: Bm25Index): void {
  writeIndexFile(path, data, (field, write) => write(bytesOf(data[field])));
}

/** What the caller's settings ask for; a stored index that differs is refused. */
export interface Bm25Expectation {
  analyzer?: Fingerprint;
  /** Fingerprint of the texts. */
  source?: string;
}

/**
 * Loads an index file into memory (about 5 bytes per posting).
 *
 * @throws RitbenchError E_INDEX_MISSING, E_INDEX_CORRUPT, E_INDEX_VERSION, E_INDEX_ANALYZER (queries
 * would be cut otherwise than the texts were), E_INDEX_SOURCE (made from other texts)
 */
export function openBm25(path: string, expected: Bm25Expectation = {}): Bm25Index {
  const file = openSectionFile(path, FILE_VERSION);
  try {
    const header = file.header as unknown as Header;
    const current = createAnalyzer(header.analyzer).fingerprint;
    const wanted = expected.analyzer ?? current;
    if (header.analyzerFingerprint !== current || header.analyzerFingerprint !== wanted) {
      throw new RitbenchError("E_INDEX_ANALYZER", "the index was made with another analyzer", {
        where: path,
        expected: wanted,
        got: `${header.analyzerFingerprint} ${JSON.stringify(header.analyzer)}`,
        next: "build the index again, or set the analyzer of the index in the config",
      });
    }
    if (expected.source !== undefined && expected.source !== header.source) {
      throw new RitbenchError("E_INDEX_SOURCE", "the index was made from other texts", {
        where: path,
        expected: expected.source,
        got: header.source ?? "no fingerprint",
        next: "build the index again",
      });
    }
    const words = (name: string) => new Uint32Array(file.read(name));
    return createBm25Index({
      analyzer: header.analyzer,
      parameters: header.parameters,
      ...(header.source === null ? {} : { source: header.source }),
      lengths: words("lengths"),
      terms: {
        slots: words("term-slots"),
        starts: words("term-starts"),
        bytes: new Uint8Array(file.read("term-bytes")),
      },
      frequencies: words("frequencies"),
      large: words("large"),
      chunks: words("chunks"),
      tfs: new Uint8Array(file.read("tfs")),
    });
  } finally {
    file.close();
  }
}
