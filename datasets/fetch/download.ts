import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files.ts";

export interface DownloadOptions {
  url: string;
  /** The unfinished file; what an earlier, broken download left there is continued. */
  partPath: string;
  /** Whether a checksum will be held against the result, so that a server without ETag may be continued too. */
  willBeChecked: boolean;
  signal: AbortSignal;
  progress(message: string): void;
  /** Waits between attempts; milliseconds in. */
  wait?: (waitMs: number, signal: AbortSignal) => Promise<unknown>;
}

export interface DownloadResult {
  requests: number;
  resumed: boolean;
}

/** Attempts in a row that bring no byte. */
const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/**
 * Downloads to `partPath`, continuing by `Range` after a cut connection, with growing pauses between attempts
 * (or the server's Retry-After).
 *
 * @throws RitbenchError E_FETCH_STATUS for an answer that no repetition mends, E_FETCH_NETWORK when every attempt failed
 */
export async function download(options: DownloadOptions): Promise<DownloadResult> {
  const { url, partPath, signal, progress } = options;
  const wait = options.wait ?? ((waitMs) => pause(waitMs, undefined, { signal }));
  await mkdir(dirname(partPath), { recursive: true });
  let requests = 0;
  let resumed = false;
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    const start = await resumePoint(options);
    requests++;
    let failure: Failure;
    try {
      const answer = await attempt(options, start);
      if (answer === undefined) return { requests, resumed: resumed || start > 0 };
      failure = answer;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RitbenchError) throw error;
      failure = { reason: messageOf((error as Error).cause ?? error) };
    }
    resumed ||= start > 0;
    failures = (await sizeOf(partPath)) > start ? 1 : failures + 1;
    if (failures >= MAX_ATTEMPTS) {
      throw new RitbenchError("E_FETCH_NETWORK", "a download failed again and again", {
        where: url,
        got: `${failure.reason}, ${requests} requests`,
        next: "run the command again: it goes on where it stopped",
      });
    }
    const waitMs = failure.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (failures - 1);
    progress(`${failure.reason}; trying ${url} again`);
    await wait(Math.min(waitMs, LONGEST_WAIT_MS), signal);
  }
}

interface Failure {
  reason: string;
  retryAfterMs?: number;
}

/** One request. Undefined = the whole file is there. */
async function attempt(options: DownloadOptions, start: number): Promise<Failure | undefined> {
  const { url, partPath, signal } = options;
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (start > 0) {
    headers.range = `bytes=${start}-`;
    const etag = await readEtag(partPath);
    if (etag !== undefined) headers["if-range"] = etag;
  }
  const response = await fetch(url, { headers, signal });
  if (response.status === 416) {
    await discardPart(partPath);
    return { reason: "the server cannot continue from here" };
  }
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel();
    const retryAfter = retryAfterMs(response.headers.get("retry-after"));
    return {
      reason: `HTTP ${response.status}`,
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    };
  }
  if (!response.ok || response.body === null) {
    throw new RitbenchError("E_FETCH_STATUS", "a source does not give the file", {
      where: url,
      got: `HTTP ${response.status}`,
      next: "check the address, or bring the official files with --from <folder>",
    });
  }
  const append = response.status === 206;
  if (append && !response.headers.get("content-range")?.startsWith(`bytes ${start}-`)) {
    await response.body.cancel();
    await discardPart(partPath);
    return { reason: "the server continued at another place" };
  }
  if (!append) saveEtag(partPath, response.headers.get("etag"));
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, createWriteStream(partPath, { flags: append ? "a" : "w" }), { signal });
  const expected = totalBytes(response, append ? start : 0);
  const got = await sizeOf(partPath);
  if (expected === undefined || got === expected) return undefined;
  return { reason: `the connection ended after ${got} of ${expected} bytes` };
}

/** Bytes that may be kept: none without a way to tell that the source is still the same. */
async function resumePoint({ partPath, willBeChecked }: DownloadOptions): Promise<number> {
  const size = await sizeOf(partPath);
  return size > 0 && (willBeChecked || (await readEtag(partPath)) !== undefined) ? size : 0;
}

function totalBytes(response: Response, start: number): number | undefined {
  const length = response.headers.get("content-length");
  return length === null ? undefined : start + Number(length);
}

/** Seconds or a date, as HTTP has it. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** Only a strong ETag may continue a file. */
function saveEtag(partPath: string, etag: string | null): void {
  writeFileAtomic(etagPath(partPath), etag !== null && !etag.startsWith("W/") ? etag : "");
}

async function readEtag(partPath: string): Promise<string | undefined> {
  const etag = await readFile(etagPath(partPath), "utf8").catch(() => "");
  return etag === "" ? undefined : etag;
}

function etagPath(partPath: string): string {
  return `${partPath}.etag`;
}

/** Removes an unfinished download and what is noted beside it. */
export async function discardPart(partPath: string): Promise<void> {
  await rm(partPath, { force: true });
  await rm(etagPath(partPath), { force: true });
}
