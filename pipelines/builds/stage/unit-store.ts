import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { sha256 } from "../../../core/fingerprint.ts";
import type { ModelReply } from "../../../core/model.ts";
import type { Usage } from "../../../core/usage.ts";
import { addLedgers, type BuildLedger, noCalls } from "./ledger.ts";

/**
 * How a unit ended. `extracted`: at least one record. `failed`: a call or its reply could not be used. `empty`: no
 * record from a text of 50 tokens or more. `blank`: no record from a shorter text; it counts for nothing.
 */
export type UnitOutcome = "extracted" | "failed" | "empty" | "blank";

/** One unit as stored: its result, or why it has none, and what its calls cost. */
export interface UnitRecord<R = unknown> {
  key: string;
  outcome: UnitOutcome;
  /** Records that were taken out of the unit. */
  records: number;
  /** Absent when the unit failed. */
  value?: R;
  error?: { code: string; message: string };
  ledger: BuildLedger;
}

/** A call of a unit that is not finished, so that a kill does not lose what was paid for. */
export type StoredCall = { reply: ModelReply } | { failed: true; usage?: Usage };

/**
 * Units and calls of one build in an lmdb folder: safe against a kill at any moment, random access by key without
 * holding an index in memory (three million nodes), and readable while another process writes.
 */
export interface UnitStore {
  has(key: string): boolean;
  get(key: string): UnitRecord | undefined;
  /** All units in the order of their stored keys. */
  all(): Iterable<UnitRecord>;
  /** Stores a finished unit and drops its calls, in one transaction that is on disk when this returns. */
  finish(record: UnitRecord): void;
  call(unit: string, id: string): StoredCall | undefined;
  /** On disk when this returns: no turn of the event loop lies between a reply and its record. */
  putCall(unit: string, id: string, call: StoredCall): void;
  /** What the stored calls of one unfinished unit cost; without a key, of all unfinished units. */
  openLedger(unit?: string): BuildLedger;
  close(): Promise<void>;
}

interface OpenStore {
  store: UnitStore;
  users: number;
}
/** An lmdb folder may be opened only once in a process; a build and its readers share it. */
const openStores = new Map<string, OpenStore>();

/** Opens the store in `<folder>/units`, creating it. */
export function openUnitStore(folder: string): UnitStore {
  const path = resolve(join(folder, "units"));
  const opened = openStores.get(path) ?? { store: openAt(path), users: 0 };
  openStores.set(path, opened);
  opened.users += 1;
  let closed = false;
  return {
    ...opened.store,
    async close() {
      if (closed) return;
      closed = true;
      opened.users -= 1;
      if (opened.users > 0) return;
      openStores.delete(path);
      await opened.store.close();
    },
  };
}

function openAt(path: string): UnitStore {
  mkdirSync(path, { recursive: true });
  const root: RootDatabase = open({ path, maxDbs: 4 });
  const units: Database<string, string> = root.openDB({ name: "units", encoding: "string" });
  const calls: Database<string, string> = root.openDB({ name: "calls", encoding: "string" });

  function* storedCalls(unit?: string): Generator<StoredCall> {
    const range = unit === undefined ? {} : rangeOf(unit);
    for (const { value } of calls.getRange(range)) yield JSON.parse(value) as StoredCall;
  }

  return {
    has: (key) => units.doesExist(storedKey(key)),
    get: (key) => parse<UnitRecord>(units.get(storedKey(key))),
    *all() {
      for (const { value } of units.getRange({})) yield JSON.parse(value) as UnitRecord;
    },
    finish(record) {
      root.transactionSync(() => {
        units.put(storedKey(record.key), JSON.stringify(record));
        for (const key of [...calls.getKeys(rangeOf(record.key))]) calls.remove(key);
      });
    },
    call: (unit, id) => parse<StoredCall>(calls.get(callKey(unit, id))),
    putCall(unit, id, call) {
      calls.putSync(callKey(unit, id), JSON.stringify(call));
    },
    openLedger(unit) {
      let sum = noCalls;
      for (const call of storedCalls(unit)) sum = addLedgers(sum, ledgerOf(call));
      return sum;
    },
    async close() {
      await root.close();
    },
  };
}

function ledgerOf(call: StoredCall): BuildLedger {
  if ("failed" in call) {
    return addLedgers(
      { ...noCalls, failures: 1 },
      { ...noCalls, ...(call.usage && { live: call.usage }) },
    );
  }
  const { usage } = call.reply;
  return usage.replayed
    ? { ...noCalls, replays: 1, replayed: usage }
    : { ...noCalls, calls: 1, live: usage };
}

function parse<T>(json: string | undefined): T | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as T);
}

const LONGEST_KEY = 400;

/** Keys of lmdb are short; ids of documents need not be. */
function storedKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `#${sha256(key)}`;
}

function unitPrefix(unit: string): string {
  return sha256(unit).slice(0, 32);
}

function callKey(unit: string, id: string): string {
  return `${unitPrefix(unit)}/${id}`;
}

/** `0` is the character behind `/`. */
function rangeOf(unit: string): { start: string; end: string } {
  return { start: `${unitPrefix(unit)}/`, end: `${unitPrefix(unit)}0` };
}
