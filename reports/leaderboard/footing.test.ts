import { expect, test } from "vitest";
import { openRun } from "../../core/run-folder/open-run.ts";
import { executeRun } from "../../pipelines/run/execute.ts";
import { openToyStore, toyMethod, toyPlan } from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { leaderboardTable } from "./table.ts";

test("a method with chunks of its own carries a dagger, and the notes say why", async () => {
  const method = { ...toyMethod(), ownChunking: "1200 tokens" };
  const plan = toyPlan({ method, count: 2 });
  const store = await openToyStore(temporaryFolder(), plan);
  const { signal } = new AbortController();
  const { folder } = await executeRun({ plan, store, concurrency: 1, signal });
  store.close();
  const run = openRun(folder);
  const { rows, notes } = leaderboardTable(run);
  run.close();
  expect(rows.map(({ title }) => title)).toEqual(["toy-method †"]);
  expect(notes).toContainEqual(
    "† toy-method cuts chunks of its own (1200 tokens), as it is defined to.",
  );
});
