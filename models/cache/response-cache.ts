import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { z } from "zod";
import type { AssistantMessage, StopReason } from "../../core/model.ts";
import type { Usage } from "../../core/usage.ts";
import { type CacheKey, differences, type KeyParts } from "./key.ts";

/** A reply as stored: what the original call said, took and cost. */
export interface StoredReply {
  message: AssistantMessage;
  stopReason: StopReason;
  usage: Usage;
  resolvedModel?: string;
  /** ISO time of the original call. */
  storedAt: string;
}

export interface ResponseCache {
  /** Undefined for no entry and for one that cannot be read. */
  get(id: string): StoredReply | undefined;
  /** Resolves when the entry is on disk. */
  put(key: CacheKey, reply: StoredReply): Promise<void>;
  /** The parts of a stored key, for `ritbench explain-cache`. */
  explain(id: string): (KeyParts & { storedAt: string }) | undefined;
  /** Why a key has no entry: which part differs from the nearest one, or that there is none. */
  whyMissing(key: CacheKey): string;
  close(): Promise<void>;
}

const entrySchema = z.object({
  version: z.literal(1),
  parts: z
    .object({ messages: z.array(z.looseObject({ role: z.string(), hash: z.string() })) })
    .loose(),
  reply: z.object({
    message: z.object({ role: z.literal("assistant"), content: z.string() }).loose(),
    stopReason: z.enum(["stop", "tool_calls", "length", "refusal"]),
    usage: z.object({ attempts: z.number(), outputTokens: z.number() }).loose(),
    storedAt: z.string(),
    resolvedModel: z.string().optional(),
  }),
});

/** Comparing more entries than this would not make the reason clearer. */
const nearestExamined = 64;

interface OpenCache {
  cache: ResponseCache;
  users: number;
}
/** An lmdb folder may be opened only once in a process; gateways and replays share it. */
const openCaches = new Map<string, OpenCache>();

/** Opens the response cache in a folder, creating it. Several processes may use it at once. */
export function openResponseCache(folder: string): ResponseCache {
  const path = resolve(folder);
  const opened = openCaches.get(path) ?? { cache: openFolder(path), users: 0 };
  openCaches.set(path, opened);
  opened.users += 1;
  let closed = false;
  return {
    ...opened.cache,
    async close() {
      if (closed) return;
      closed = true;
      opened.users -= 1;
      if (opened.users > 0) return;
      openCaches.delete(path);
      await opened.cache.close();
    },
  };
}

function openFolder(path: string): ResponseCache {
  mkdirSync(path, { recursive: true });
  const root: RootDatabase = open({ path, maxDbs: 4 });
  const replies: Database<string, string> = root.openDB({ name: "replies", encoding: "string" });
  const near: Database<string, string> = root.openDB({
    name: "near",
    encoding: "string",
    dupSort: true,
  });

  const read = (id: string): { parts: KeyParts; reply: StoredReply } | undefined => {
    try {
      // The schema checks what a damaged entry would break; the rest was written by `put`.
      const entry = entrySchema.safeParse(JSON.parse(replies.get(id) ?? "null"));
      if (!entry.success) return undefined;
      return entry.data as unknown as { parts: KeyParts; reply: StoredReply };
    } catch {
      return undefined;
    }
  };

  return {
    get: (id) => read(id)?.reply,
    async put(key, reply) {
      const entry = JSON.stringify({ version: 1, parts: key.parts, reply });
      await Promise.all([replies.put(key.id, entry), near.put(key.near, key.id)]);
    },
    explain(id) {
      const entry = read(id);
      return entry && { ...entry.parts, storedAt: entry.reply.storedAt };
    },
    whyMissing(key) {
      if (replies.get(key.id) !== undefined) return "the entry cannot be read";
      let best: string[] | undefined;
      for (const id of near.getValues(key.near, { limit: nearestExamined })) {
        const entry = read(id);
        if (entry === undefined) continue;
        const found = differences(key.parts, entry.parts);
        if (best === undefined || found.length < best.length) best = found;
      }
      return best === undefined ? "no entry" : `no entry; nearest differs: ${best.join("; ")}`;
    },
    async close() {
      await root.flushed;
      await root.close();
    },
  };
}
