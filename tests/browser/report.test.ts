import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import { writeHtmlReport } from "../../reports/html/write-html-report.ts";
import { describeBrowser, type PageWatch } from "../support/browser.ts";
import { forestRun, reportTrees } from "../support/forest-run.ts";
import { question } from "../support/run-fixture.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writeRunFolder } from "../support/written-run.ts";

/** 200 nodes: four reports of 49, and four documents of one. */
const twoHundred: readonly DocumentTree[] = [
  ...reportTrees(4, 11),
  ...["Glossary", "Notes", "Errata", "Imprint"].map((title) => ({
    title,
    documentId: title,
    text: title,
  })),
];

/** Texts that would run, load or leave if any of them were taken for more than text. */
const hostile = [
  "<script>alert('title')</script>",
  "</script><script>alert('end')</script>",
  "<img src=x onerror=alert('img')>",
  "<svg onload=fetch('http://evil.example/svg')>",
  "<iframe src='http://evil.example/frame'></iframe>",
  "<link rel=stylesheet href=http://evil.example/x.css>",
  "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
  "<base href='http://evil.example/'>",
  "');alert('quote');('",
  "\\');alert('backslash');//",
  "\u2028alert('line')\u2029",
  '"onmouseover="alert(1)" x="',
  "javascript:alert('url')",
  "{{constructor.constructor('alert(1)')()}}",
  "url(http://evil.example/image)",
  "__proto__",
  "../../../etc/passwd",
  "\u202Eright to left\u202C",
];

async function forestReport(
  trees: readonly DocumentTree[] = twoHundred,
  words?: string,
): Promise<string> {
  const home = temporaryFolder();
  const { folder, corpus } = await forestRun({
    folder: join(home, "run"),
    corporaFolder: join(home, "corpora"),
    trees,
    ...(words === undefined ? {} : { words }),
  });
  const run = openRun(folder);
  try {
    const page = writeHtmlReport(run, { folder: join(home, "html"), corpusOf: () => corpus });
    return pathToFileURL(page).href;
  } finally {
    run.close();
    corpus.close();
  }
}

async function expectNoViolation(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as { axe: typeof axe };
    // Preloading would ask for files anew, which the page's own policy forbids.
    const result = await tool.run({ preload: false });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
  expect(violations).toEqual([]);
}

function expectQuiet({ dialogs, errors, strays }: PageWatch): void {
  expect({ dialogs, errors, strays }).toEqual({ dialogs: [], errors: [], strays: [] });
}

async function openQuestion(page: Page, text = "(q1)"): Promise<void> {
  await page.getByRole("link", { name: text }).click();
  await page.locator(".record").first().waitFor();
}

/** Opens what is folded, and what lies folded in it. */
async function openEverything(page: Page): Promise<void> {
  const closed = page.locator("details:not([open])");
  while ((await closed.count()) > 0) {
    await closed.evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    await page.waitForFunction(
      "[...document.querySelectorAll('details')].every((one) => one.childElementCount > 1)",
    );
  }
}

const backgroundOf = (page: Page) =>
  page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
const tree = (page: Page) => page.getByRole("tree", { name: "Sub-forest of RIT-RAG" });
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.querySelector('bdi')?.textContent ?? ''");

describeBrowser("HTML report", (browser) => {
  const settings: [string, BrowserContextOptions][] = [
    ["on a desktop", {}],
    ["on a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ["in the dark", { colorScheme: "dark" }],
  ];
  for (const [name, options] of settings) {
    it(`is complete, fits and breaks no rule of axe ${name}`, async () => {
      const { page, watch } = await browser.open(await forestReport(), options);
      const width = options.viewport?.width ?? 1280;
      const fits = () => page.evaluate<number>("document.documentElement.scrollWidth");
      expect(await page.getByRole("row", { name: /toy RIT-RAG 100\.0%/ }).count()).toBe(1);
      expect(await page.getByText("run plain words").count()).toBe(1);
      expect(await fits()).toBeLessThanOrEqual(width);
      await expectNoViolation(page);
      await openQuestion(page);
      for (const text of ["12 crowns plain words", "The judge says: plain words", "$0.00200"]) {
        expect(await page.getByText(text).first().isVisible()).toBe(true);
      }
      expect(await fits()).toBeLessThanOrEqual(width);
      await expectNoViolation(page);
      expectQuiet(watch);
    });
  }

  it("follows the system's dark colours", async () => {
    const url = await forestReport();
    const background = async (colorScheme: "light" | "dark") => {
      const { page } = await browser.open(url, { colorScheme });
      return backgroundOf(page);
    };
    expect(await background("light")).toBe("rgb(255, 255, 255)");
    expect(await background("dark")).not.toBe("rgb(255, 255, 255)");
  });

  it("prints the figures without the controls, black on white", async () => {
    const { page } = await browser.open(await forestReport(), { colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator(".board").isVisible()).toBe(true);
    expect(await page.locator(".filters").isVisible()).toBe(false);
    expect(await backgroundOf(page)).toBe("rgb(255, 255, 255)");
    await openPrintedQuestion(page);
    expect(await page.locator(".chooser").isVisible()).toBe(false);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });

  async function openPrintedQuestion(page: Page): Promise<void> {
    await page.emulateMedia({ media: "screen" });
    await openQuestion(page);
    await page.emulateMedia({ media: "print" });
  }

  it("draws a forest of 200 nodes with what was shown, read and gold", async () => {
    const { page } = await browser.open(await forestReport());
    await openQuestion(page);
    const forest = page.getByRole("article", { name: "RIT-RAG" }).locator(".forest");
    expect(await forest.locator(".strip i").count()).toBe(200);
    expect(
      await forest.getByText("8 trees · 200 nodes shown · 3 read · 1 of 1 gold node read").count(),
    ).toBe(1);
    const gold = tree(page).getByRole("treeitem", { name: "Business, section 4" });
    expect(await gold.textContent()).toContain("gold read, 21 tokens selected");
    // A large forest opens along what matters only.
    expect(await tree(page).getByRole("treeitem").count()).toBeLessThan(60);
    await forest.getByRole("button", { name: "Open all" }).click();
    expect(await tree(page).getByRole("treeitem").count()).toBe(200);
    const lost = page.getByRole("article", { name: "Vanilla RAG" }).locator(".forest");
    expect(await lost.getByText("gold, never shown").count()).toBe(1);
  });

  it("is walked through with the keyboard alone", async () => {
    const { page } = await browser.open(await forestReport());
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.getByRole("link", { name: "(q2)" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".record").first().waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    await tree(page).getByRole("treeitem").first().focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused(page);
    };
    expect(await press("ArrowDown")).toBe("Business");
    expect(await press("ArrowRight")).toBe("Business, section 1");
    expect(await press("ArrowLeft")).toBe("Business");
    expect(await press("ArrowLeft")).toBe("Business");
    expect(await press("ArrowDown")).toBe("Results");
    expect(await press("Enter", "ArrowRight")).toBe("Results, section 1");
    expect(await press("Home")).toBe("Annual report of company 1");
    expect(await press("End")).toBe("Imprint");
    // One stop of the Tab key for the whole tree.
    expect(await tree(page).locator("[tabindex='0']").count()).toBe(1);
  });

  it("lays two methods side by side and says where they part", async () => {
    const { page } = await browser.open(await forestReport());
    await page.getByLabel("Methods").selectOption("differ");
    expect(await page.locator("#found").textContent()).toBe("2 of 2 questions");
    await page.getByLabel("Methods").selectOption("right:vanilla");
    expect(await page.locator("#found").textContent()).toBe("0 of 2 questions");
    await page.getByRole("link", { name: "Clear" }).click();
    await openQuestion(page);
    const [left, right] = await page.locator(".record").all();
    const [leftBox, rightBox] = [await left!.boundingBox(), await right!.boundingBox()];
    expect(leftBox!.y).toBe(rightBox!.y);
    expect(leftBox!.x + leftBox!.width).toBeLessThanOrEqual(rightBox!.x);
    expect(await left!.getByRole("heading", { level: 2 }).textContent()).toBe("Vanilla RAG");
    expect(await left!.textContent()).toContain("not retrieved");
    expect(await right!.textContent()).toContain("correct");
    await page.getByLabel("beside").selectOption("");
    await page.waitForFunction("document.querySelectorAll('.record').length === 1");
    await page.reload();
    await page.locator(".record").first().waitFor();
    expect(await page.locator(".record").count()).toBe(1);
  });

  it("runs nothing and asks nobody, whatever documents, models and judges have written", async () => {
    const trees = hostile.map((title, i) => ({
      title,
      documentId: `document-${i}`,
      text: title,
      children: [{ title: `${title} below`, text: title }],
    }));
    const words = hostile.join(" ");
    const { page, watch } = await browser.open(await forestReport(trees, words));
    await openQuestion(page, "(q1)");
    await page.getByRole("button", { name: "Open all" }).first().click();
    await page.getByRole("button", { name: "Open all" }).last().click();
    await openEverything(page);
    await page.locator(".quoted").first().hover();
    const visible = await page.locator("main").textContent();
    for (const title of hostile.slice(0, 8)) expect(visible).toContain(title);
    expect(visible).not.toContain("\u202E");
    const foreign = await page.evaluate<string[]>(`
      [...document.querySelectorAll(
        "script, img, iframe, svg, base, object, embed, main form, main link, main meta, main style"
      )]
        .map((element) => element.getAttribute("src") ?? element.outerHTML)
        .filter((text) => !/^[a-z]+\\.js$/.test(text))`);
    expect(foreign).toEqual([]);
    await expectNoViolation(page);
    expectQuiet(watch);
  });

  it("opens ten thousand answers from the summary alone", async () => {
    const home = temporaryFolder();
    const folder = writeRunFolder({
      folder: join(home, "run"),
      methods: ["a", "b", "c", "d", "e"].map((name) => ({ name, title: name.toUpperCase() })),
      questions: Array.from({ length: 2000 }, (_, i) => question(`q${i + 1}`)),
      answer: (_, method, number) => ({ correct: number % (method === "a" ? 2 : 3) === 0 }),
    });
    const run = openRun(folder);
    const report = writeHtmlReport(run, { folder: join(home, "html") });
    run.close();
    const { page, watch } = await browser.open(pathToFileURL(report).href);
    expect(await page.locator("#found").textContent()).toBe("2,000 of 2,000 questions");
    expect(await page.locator(".questions tbody tr").count()).toBe(50);
    await page.getByRole("button", { name: "Last" }).click();
    expect(await page.getByRole("link", { name: "What is q2000?" }).isVisible()).toBe(true);
    await page.getByLabel("Text or id").fill("q1234");
    expect(await page.locator("#found").textContent()).toBe("1 of 2,000 questions");
    expect(watch.data).toEqual(["summary"]);
    await openQuestion(page, "q1234");
    expect(watch.data).toHaveLength(2);
    expectQuiet(watch);
  });
});
