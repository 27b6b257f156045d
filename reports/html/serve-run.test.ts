import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { forestMethods } from "../../tests/support/forest-run.ts";
import { question } from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { writeRunFolder } from "../../tests/support/written-run.ts";
import { type LiveRun, openLiveRun } from "./live-run.ts";
import { questionFile } from "./script-data.ts";
import { serveRun } from "./serve-run.ts";

interface Served {
  url: URL;
  folder: string;
  run: LiveRun;
  clock: { nowMs: number };
}

async function served(): Promise<Served> {
  const folder = writeRunFolder({
    folder: join(temporaryFolder(), "run"),
    status: "running",
    methods: forestMethods,
    questions: Array.from({ length: 3 }, (_, i) => question(`q${i + 1}`)),
    answer: () => ({ correct: true }),
  });
  const clock = { nowMs: 0 };
  const run = openLiveRun(
    folder,
    () => undefined,
    () => clock.nowMs,
  );
  const server = await serveRun(run, "a run");
  onTestFinished(async () => {
    await server.close();
    run.close();
  });
  return { url: new URL(server.url), folder, run, clock };
}

interface Reply {
  status: number;
  headers: { [name: string]: string | string[] | undefined };
  body: string;
}

/** A request with its path and headers exactly as given. */
function ask(
  { url }: Served,
  path: string,
  options: { method?: string; headers?: { [name: string]: string } } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request({ host: url.hostname, port: url.port, path, ...options }, (response) => {
      let body = "";
      response.on("data", (bytes: Buffer) => {
        body += bytes.toString();
      });
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body }),
      );
    });
    call.on("error", reject);
    call.end();
  });
}

describe("serveRun", () => {
  it("serves the page, its files and its data on loopback", async () => {
    const it = await served();
    expect(it.url.hostname).toBe("127.0.0.1");
    const page = await ask(it, "/");
    expect(page.status).toBe(200);
    expect(page.body).toContain('data-live="true"');
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect((await ask(it, "/main.js?v=1")).headers["content-type"]).toContain("text/javascript");
    expect((await ask(it, "/data/summary.js")).body).toContain('"questions":[[');
    const file = questionFile("toy", "q2");
    expect((await ask(it, `/data/${file}.js`)).body).toContain("What is q2?");
    expect((await ask(it, "/", { method: "HEAD" })).body).toBe("");
  });

  it.each([
    "/../manifest.json",
    "/data/../../manifest.json",
    "/data/..%2f..%2fmanifest.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..\\..\\manifest.json",
    "//etc/passwd",
    "/records.jsonl",
    "/data/q-0000000000000000.js",
    "/data/q-..%2f..%2frecords.js",
    "/data/summary.js/..",
    "/constructor",
    "/index.html%00.js",
  ])("has nothing at %s", async (path) => {
    const { status, body } = await ask(await served(), path);
    expect(status).toBe(404);
    expect(body).toBe("there is no such page\n");
  });

  it("refuses other host names, other sites and every way of writing", async () => {
    const it = await served();
    const status = async (path: string, options: Parameters<typeof ask>[2]) =>
      (await ask(it, path, options)).status;
    expect(await status("/live.json", { headers: { host: "evil.example" } })).toBe(403);
    expect(await status("/", { headers: { host: `evil.example:${it.url.port}` } })).toBe(403);
    expect(await status("/", { headers: { host: `localhost:${it.url.port}` } })).toBe(200);
    const cross = { "sec-fetch-site": "cross-site" };
    expect(
      await status("/data/summary.js", { headers: { ...cross, "sec-fetch-mode": "no-cors" } }),
    ).toBe(403);
    expect(await status("/", { headers: { ...cross, "sec-fetch-mode": "navigate" } })).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      expect(await status("/", { method })).toBe(405);
    }
  });

  it("says how far the run is, and reads it again when it has grown", async () => {
    const it = await served();
    const records = join(it.folder, "records.jsonl");
    const text = readFileSync(records, "utf8");
    const state = async () => JSON.parse((await ask(it, "/live.json")).body);
    const before = await state();
    expect(before).toMatchObject({ status: "running", done: 6, planned: 6 });
    expect(await state()).toEqual(before);
    writeFileSync(records, text.split("\n").slice(0, 2).join("\n"));
    it.clock.nowMs += 1000;
    const shorter = await state();
    expect(shorter.done).toBe(2);
    expect(shorter.version).not.toBe(before.version);
    appendFileSync(records, '\n{"torn');
    it.clock.nowMs += 1000;
    expect((await state()).done).toBe(2);
  });

  it("answers 503 while the manifest cannot be read, and recovers", async () => {
    const it = await served();
    const manifest = join(it.folder, "manifest.json");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, "{");
    expect((await ask(it, "/live.json")).status).toBe(503);
    writeFileSync(manifest, text);
    expect((await ask(it, "/live.json")).status).toBe(200);
  });
});
