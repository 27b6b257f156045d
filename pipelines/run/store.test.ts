import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffJson } from "../../core/json-diff.ts";
import { openToyStore, toyMethod, toyModel, toyPlan } from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";

describe("openRunStore", () => {
  it("continues a run of the same identity and extends it by a higher limit", async () => {
    const folder = temporaryFolder();
    const first = await openToyStore(folder, toyPlan({ limit: 1 }));
    first.close();
    const second = await openToyStore(folder, toyPlan({ limit: 3 }));
    second.close();
    expect(second.id).toBe(first.id);
    expect(second.manifest.datasets[0]!.questions.asked).toBe(3);
    expect(
      readFileSync(join(second.folder, "questions.jsonl"), "utf8").trim().split("\n"),
    ).toHaveLength(3);
    const third = await openToyStore(folder, toyPlan({ limit: 2 }));
    third.close();
    expect(
      readFileSync(join(third.folder, "questions.jsonl"), "utf8").trim().split("\n"),
    ).toHaveLength(3);
  });

  it("stops at another setting and names the field with both values", async () => {
    const folder = temporaryFolder();
    (await openToyStore(folder, toyPlan())).close();
    const other = openToyStore(folder, toyPlan({ identityConfig: { kPrime: 100, k: 5 } }));
    await expect(other).rejects.toMatchObject({
      code: "E_RUN_DIFFERS",
      message: expect.stringContaining("k, kPrime"),
      details: {
        expected: "k = (absent); kPrime = 200",
        got: "k = 5; kPrime = 100",
        next: expect.stringContaining("--new"),
      },
    });
  });

  it("stops when a prompt of a method has changed, and names the method", async () => {
    const folder = temporaryFolder();
    (await openToyStore(folder, toyPlan())).close();
    const changed = { ...toyMethod(), fingerprint: "changed" as never };
    await expect(openToyStore(folder, toyPlan({ method: changed }))).rejects.toMatchObject({
      message: expect.stringContaining("methods.toy-method"),
    });
  });

  it("is not troubled by a new program version, or by further methods and models", async () => {
    const folder = temporaryFolder();
    const first = await openToyStore(folder, toyPlan());
    first.close();
    const wider = await openToyStore(
      folder,
      toyPlan({
        method: toyMethod(undefined, "other"),
        models: [toyModel("toy:second")],
        programVersion: "9.9.9",
      }),
    );
    wider.close();
    expect(wider.id).toBe(first.id);
    expect(wider.manifest.methods.map(({ name }) => name)).toEqual(["toy-method", "other"]);
    expect(wider.manifest.models.map(({ id }) => id)).toEqual(["toy:model", "toy:second"]);
  });

  it("starts another run when asked to, and the same command then continues that one", async () => {
    const folder = temporaryFolder();
    (await openToyStore(folder, toyPlan())).close();
    const changed = toyPlan({ identityConfig: { kPrime: 100 } });
    const second = await openToyStore(folder, changed, true);
    second.close();
    expect(second.id).toBe("toy-run-2");
    const again = await openToyStore(folder, changed);
    again.close();
    expect(again.id).toBe("toy-run-2");
    const original = await openToyStore(folder, toyPlan());
    original.close();
    expect(original.id).toBe("toy-run");
  });

  it("refuses a second holder and is free again after close", async () => {
    const folder = temporaryFolder();
    const first = await openToyStore(folder, toyPlan());
    await expect(openToyStore(folder, toyPlan())).rejects.toMatchObject({
      code: "E_RUN_LOCKED",
      message: expect.stringContaining(`process ${process.pid}`),
    });
    first.close();
    (await openToyStore(folder, toyPlan())).close();
  });

  it.each([
    ["of a process that is gone", { pid: 2 ** 22 + 1, host: hostname(), born: "1", token: "t" }],
    [
      "of an earlier process with the number of this one",
      { pid: process.pid, host: hostname(), born: "1", token: "t" },
    ],
    ["that names no process", ""],
  ])("takes over a lock %s", async (_, holder) => {
    const folder = temporaryFolder();
    const first = await openToyStore(folder, toyPlan());
    first.close();
    writeFileSync(join(first.folder, "run.lock"), holder === "" ? "" : JSON.stringify(holder));
    (await openToyStore(folder, toyPlan())).close();
  });

  it("lets one of many starters in", async () => {
    const folder = temporaryFolder();
    const stores = await Promise.allSettled(
      Array.from({ length: 8 }, () => openToyStore(folder, toyPlan())),
    );
    expect(stores.filter((store) => store.status === "fulfilled")).toHaveLength(1);
    for (const store of stores) if (store.status === "fulfilled") store.value.close();
  });

  it("says so when a record cannot be stored, and leaves the file whole", async () => {
    const folder = temporaryFolder();
    const plan = toyPlan();
    const store = await openToyStore(folder, plan);
    rmSync(join(store.folder, "traces"), { recursive: true });
    writeFileSync(join(store.folder, "traces"), "in the way");
    const record = { ...plan.jobs[0]!.key } as never;
    expect(() => store.append(record, {} as never)).toThrow(
      expect.objectContaining({ code: "E_RUN_WRITE" }),
    );
    expect(readFileSync(join(store.folder, "records.jsonl"), "utf8")).toBe("");
    store.close();
  });
});

describe("diffJson", () => {
  it("names leaves, arrays as a whole, and what only one side has", () => {
    expect(diffJson({ a: { b: 1, c: [1] }, d: 1 }, { a: { b: 1, c: [2] } })).toEqual([
      { path: "a.c", stored: "[1]", now: "[2]" },
      { path: "d", stored: "1", now: "(absent)" },
    ]);
  });
});
