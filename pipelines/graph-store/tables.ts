import { mkdirSync } from "node:fs";
import { type Database, open } from "lmdb";
import { sha256 } from "../../core/fingerprint.ts";

/** Tables of JSON records by id, in one lmdb folder: random access on disk, ids in byte order. */
export interface Tables {
  get<T>(table: string, id: string): T | undefined;
  ids(table: string): Iterable<string>;
  /** Records whose id starts with `prefix`, in the order of their ids. */
  all<T>(table: string, prefix?: string): Iterable<{ id: string; record: T }>;
  count(table: string): number;
  close(): Promise<void>;
}

export interface WritableTables extends Tables {
  /** Resolves at once while there is room in the queue of writes. */
  put(table: string, id: string, record: unknown): Promise<void>;
  /** Resolves when everything put so far can be read. */
  written(): Promise<void>;
}

/** Id of a record in place of its name, which may be longer than a key of lmdb. */
export function idOf(name: string): string {
  return sha256(name).slice(0, 32);
}

/** Opens the tables of a finished graph. */
export function openTables(folder: string): Tables {
  return readable(open({ ...asFolder(folder), readOnly: true }));
}

/** A dot in the name of the folder does not make it a file. */
const asFolder = (path: string) => ({ path, noSubdir: false, encoding: "string" }) as const;

const PUTS_IN_QUEUE = 2_000;

export function createTables(folder: string): WritableTables {
  mkdirSync(folder, { recursive: true });
  const database: Database<string, string> = open(asFolder(folder));
  let last: Promise<boolean> = Promise.resolve(true);
  let queued = 0;
  const written = async (): Promise<void> => {
    await last;
    queued = 0;
  };
  return {
    ...readable(database),
    async put(table, id, record) {
      last = database.put(`${table}/${id}`, JSON.stringify(record));
      if (++queued >= PUTS_IN_QUEUE) await written();
    },
    written,
  };
}

function readable(database: Database<string, string>): Tables {
  // `0` is the character behind `/`, U+FFFF behind every other.
  const range = (table: string, prefix = "") => ({
    start: `${table}/${prefix}`,
    end: prefix === "" ? `${table}0` : `${table}/${prefix}\uffff`,
  });
  return {
    get<T>(table: string, id: string) {
      const json = database.get(`${table}/${id}`);
      return json === undefined ? undefined : (JSON.parse(json) as T);
    },
    *ids(table) {
      for (const key of database.getKeys(range(table))) yield key.slice(table.length + 1);
    },
    *all<T>(table: string, prefix?: string) {
      for (const { key, value } of database.getRange(range(table, prefix))) {
        yield { id: key.slice(table.length + 1), record: JSON.parse(value) as T };
      }
    },
    count: (table) => database.getKeysCount(range(table)),
    close: () => database.close(),
  };
}
