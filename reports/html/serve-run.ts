import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LiveRun } from "./live-run.ts";
import { scriptData, scriptPieces } from "./script-data.ts";
import { ASSETS, assetPath, shellHtml, shellPolicy } from "./shell.ts";

/** The only address the pages are served on: this machine. */
const LOOPBACK = "127.0.0.1";

export interface RunServer {
  /** `http://127.0.0.1:<port>/`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a run's pages on a free port of the loopback interface. Read-only, and a fixed list of paths: nothing of a
 * request is ever joined to a folder. A request under another host name (a page that rebinds its own name to this
 * machine) or from another site is refused.
 */
export async function serveRun(run: LiveRun, title: string): Promise<RunServer> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    respond(request, response, { run, title, port });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Served {
  run: LiveRun;
  title: string;
  port: number;
}

function respond(request: IncomingMessage, response: ServerResponse, served: Served): void {
  const refusal = refused(request, served.port);
  if (refusal !== undefined) {
    send(response, refusal.status, "text/plain; charset=utf-8", [`${refusal.reason}\n`]);
    return;
  }
  let page: Page | undefined;
  try {
    page = pageOf(new URL(request.url ?? "/", "http://local").pathname, served);
  } catch {
    // The run's files may be gone or half written at this very moment; the page asks again.
    send(response, 503, "text/plain; charset=utf-8", ["the run cannot be read right now\n"]);
    return;
  }
  if (page === undefined) {
    send(response, 404, "text/plain; charset=utf-8", ["there is no such page\n"]);
    return;
  }
  send(response, 200, page.type, request.method === "HEAD" ? [] : page.content);
}

function refused(
  { method, headers }: IncomingMessage,
  port: number,
): { status: number; reason: string } | undefined {
  if (headers.host !== `${LOOPBACK}:${port}` && headers.host !== `localhost:${port}`) {
    return { status: 403, reason: "this server answers to its own address only" };
  }
  if (headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-mode"] !== "navigate") {
    return { status: 403, reason: "another site may not load these pages" };
  }
  if (method !== "GET" && method !== "HEAD") return { status: 405, reason: "read only" };
  return undefined;
}

interface Page {
  type: string;
  content: readonly string[];
}

const JAVASCRIPT = "text/javascript; charset=utf-8";

function pageOf(path: string, { run, title }: Served): Page | undefined {
  const name = path.slice(1);
  if (name === "" || name === "index.html") {
    return { type: "text/html; charset=utf-8", content: [shellHtml(title, { live: true })] };
  }
  // Browsers ask for one by themselves.
  if (name === "favicon.ico") return { type: "image/x-icon", content: [] };
  if (name === "live.json") {
    return { type: "application/json", content: [JSON.stringify(run.state())] };
  }
  if (name === "data/summary.js") {
    return { type: JAVASCRIPT, content: [...scriptPieces("summary", run.summary())] };
  }
  const question = /^data\/(q-[0-9a-f]{16})\.js$/.exec(name)?.[1];
  if (question !== undefined) {
    const json = run.question(question);
    return json === undefined
      ? undefined
      : { type: JAVASCRIPT, content: [scriptData(question, json)] };
  }
  if (!ASSETS.includes(name)) return undefined;
  return {
    type: name.endsWith(".css") ? "text/css; charset=utf-8" : JAVASCRIPT,
    content: [readFileSync(assetPath(name), "utf8")],
  };
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  content: readonly string[],
): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Security-Policy": `${shellPolicy({ live: true })}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
  });
  for (const piece of content) response.write(piece);
  response.end();
}
