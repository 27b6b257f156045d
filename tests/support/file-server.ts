import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How the server treats the next request for a path. */
export type Fault =
  | {
      kind: "cut";
      afterBytes: number;
      /** Asked again and again until true; only then is the connection cut. */
      when?: () => boolean;
    }
  | { kind: "status"; status: number; headers?: Record<string, string> };

export interface FileServer {
  /** Base address, to be given as mirror. */
  url: string;
  /** Every request: path and Range header. */
  requests: { path: string; range: string | undefined }[];
  files: Map<string, Buffer>;
  /** Faults by path, used up one a request. */
  faults: Map<string, Fault[]>;
}

/** A loopback server of files with ETag and Range, that fails where it is told to; it ends with the running test. */
export async function fileServer(files: Record<string, Buffer | string>): Promise<FileServer> {
  const state: FileServer = {
    url: "",
    requests: [],
    files: new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
    faults: new Map(),
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    const { range } = request.headers;
    state.requests.push({ path, range });
    const fault = state.faults.get(path)?.shift();
    const content = state.files.get(path);
    if (fault?.kind === "status") {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${createHash("sha1").update(content).digest("hex")}"`;
    const wanted = /^bytes=(\d+)-$/.exec(range ?? "")?.[1];
    const condition = request.headers["if-range"];
    const start =
      wanted !== undefined && [undefined, etag].includes(condition?.toString())
        ? Number(wanted)
        : 0;
    if (start > content.length) {
      response.writeHead(416).end();
      return;
    }
    const body = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      etag,
      "content-length": body.length,
      ...(start > 0 && {
        "content-range": `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    });
    if (fault === undefined) response.end(body);
    else {
      response.write(body.subarray(0, fault.afterBytes));
      const poll = setInterval(() => {
        if (fault.when?.() === false) return;
        clearInterval(poll);
        response.destroy();
      }, 5);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
