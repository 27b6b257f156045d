import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";

/** The browser to drive: `CHROMIUM`, else Debian's. Nothing is ever downloaded. */
const executable = [process.env.CHROMIUM, "/usr/bin/chromium"].find(
  (path) => path !== undefined && path !== "" && existsSync(path),
);

/** What a page tried besides showing itself: each must stay empty. */
export interface PageWatch {
  dialogs: string[];
  errors: string[];
  /** Requests beyond the page's own folder or server. */
  strays: string[];
  /** Names of the data files that were loaded, in order. */
  data: string[];
}

export interface BrowserTest {
  /** Opens `url` in a context of its own and watches what it does. */
  open(url: string, options?: BrowserContextOptions): Promise<{ page: Page; watch: PageWatch }>;
}

/**
 * `describe` with a real browser. Without one the tests are skipped, and their name says so; where
 * `RITBENCH_REQUIRE_BROWSER` is set (CI) they fail instead.
 */
export function describeBrowser(name: string, body: (browser: BrowserTest) => void): void {
  if (executable === undefined) {
    if (process.env.RITBENCH_REQUIRE_BROWSER) {
      it(name, () => {
        throw new Error("no browser: install chromium, or name one in CHROMIUM");
      });
      return;
    }
    const unused: BrowserTest = { open: () => Promise.reject(new Error("no browser")) };
    describe.skip(`${name} (skipped: no browser; install chromium or name one in CHROMIUM)`, () =>
      body(unused));
    return;
  }
  describe(name, { timeout: TIMEOUT_MS }, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executable, args: FLAGS });
    }, TIMEOUT_MS);
    afterAll(() => browser?.close());
    body({
      async open(url, options) {
        const context = await browser!.newContext({
          viewport: { width: 1280, height: 900 },
          ...options,
        });
        const page = await context.newPage();
        const watch = watchPage(page, url.slice(0, url.lastIndexOf("/") + 1));
        await page.goto(url);
        await page.locator("h2").first().waitFor();
        return { page, watch };
      },
    });
  });
}

/** A browser on a machine that does other work as well. */
const TIMEOUT_MS = 120_000;

/** No sandbox inside a container, and none of the browser's own traffic. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function watchPage(page: Page, base: string): PageWatch {
  const watch: PageWatch = { dialogs: [], errors: [], strays: [], data: [] };
  page.on("dialog", (dialog) => {
    watch.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => watch.errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") watch.errors.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(base)) watch.strays.push(url);
    const data = /\/data\/([^/?]+)\.js/.exec(url)?.[1];
    if (data !== undefined) watch.data.push(data);
  });
  return watch;
}
