import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLiveRun } from "../../reports/html/live-run.ts";
import { serveRun } from "../../reports/html/serve-run.ts";
import { describeBrowser } from "../support/browser.ts";
import { forestMethods } from "../support/forest-run.ts";
import { question } from "../support/run-fixture.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writeRunFolder } from "../support/written-run.ts";

describeBrowser("ritbench view", (browser) => {
  it("shows progress and new answers while the run goes on, without losing the filters", async () => {
    const folder = writeRunFolder({
      folder: join(temporaryFolder(), "run"),
      status: "running",
      methods: forestMethods,
      questions: Array.from({ length: 4 }, (_, i) => question(`q${i + 1}`)),
      answer: () => ({ correct: true }),
    });
    const records = join(folder, "records.jsonl");
    const lines = readFileSync(records, "utf8").trimEnd().split("\n");
    writeFileSync(records, `${lines.slice(0, 3).join("\n")}\n`);
    let nowMs = 0;
    const run = openLiveRun(
      folder,
      () => undefined,
      () => nowMs++,
    );
    const server = await serveRun(run, "live run");
    onTestFinished(async () => {
      await server.close();
      run.close();
    });
    const { page, watch } = await browser.open(server.url);
    await page.getByText("Live: running, 3 of 8 answers").waitFor();
    await page.getByLabel("Text or id").fill("q");
    expect(await page.locator("#found").textContent()).toBe("2 of 2 questions");
    nowMs += 1e6;
    appendFileSync(records, `${lines.slice(3).join("\n")}\n`);
    await page.getByText("Live: running, 8 of 8 answers").waitFor();
    await page.getByText("4 of 4 questions").waitFor();
    expect(await page.getByLabel("Text or id").inputValue()).toBe("q");
    await page.getByRole("link", { name: "What is q4?" }).click();
    await page.locator(".record").first().waitFor();
    expect(watch).toMatchObject({ dialogs: [], errors: [], strays: [] });
  });
});
