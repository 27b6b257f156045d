import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LoopbackModels, startLoopbackModels } from "../../tests/support/loopback-models.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { fetchEncoder } from "./encoder/fetch-encoder.ts";
import { openEmbedder } from "./open-embedder.ts";
import { openAiSource } from "./openai-source.ts";

const fastRetries = {
  maxRetries: 2,
  backoffMs: 1,
  maxBackoffMs: 2,
  retryAfterCeilingMs: 1000,
  timeoutMs: 5000,
};

describe("names", () => {
  test("offline:hashing keeps no vectors: it is quicker than the disk", async () => {
    const home = temporaryFolder();
    const { embedder, close } = await openEmbedder("offline:hashing", { home, offline: true });
    const [first, again] = [await embedder.embed(["umbrella"]), await embedder.embed(["umbrella"])];
    await close();
    expect(again).toEqual(first);
    expect(existsSync(join(home, "cache"))).toBe(false);
  });

  test("offline:hashing opens without network and has no tokenizer of its own", async () => {
    const opened = await openEmbedder("offline:hashing", {
      home: temporaryFolder(),
      offline: true,
    });
    expect(opened.offline).toBe(true);
    expect(opened.tokenizerFolder).toBeUndefined();
    expect(opened.embedder.dimensions).toBe(512);
    await opened.close();
  });

  test.each([
    ["ofline:hashing", "did you mean offline:?"],
    ["hashing", undefined],
    ["local:", undefined],
    ["openai-compatible:bge-m3", undefined],
  ])("%s is told what there is", async (spec, next) => {
    await expect(
      openEmbedder(spec, { home: temporaryFolder(), offline: true }),
    ).rejects.toMatchObject({
      code: "E_EMBEDDINGS_UNKNOWN",
      details: {
        expected: expect.stringContaining("offline:hashing"),
        ...(next === undefined ? {} : { next }),
      },
    });
  });

  test("openai: without a key names the variable", async () => {
    await expect(
      openEmbedder("openai:text-embedding-3-small", { home: temporaryFolder(), offline: false }),
    ).rejects.toMatchObject({ code: "E_MODEL_KEY" });
  });

  test("a hub id that is not on the machine is not fetched offline, and a folder that is absent is named", async () => {
    const home = temporaryFolder();
    await expect(
      openEmbedder("local:some-owner/some-encoder", { home, offline: true }),
    ).rejects.toMatchObject({ code: "E_ENCODER_OFFLINE" });
    await expect(
      openEmbedder("local:./no/such/folder", { home, offline: true, hasPackage: () => true }),
    ).rejects.toMatchObject({ code: "E_ENCODER_MISSING" });
  });
});

describe("an OpenAI-compatible endpoint", () => {
  let server: LoopbackModels;
  beforeEach(async () => {
    server = await startLoopbackModels();
  });
  afterEach(() => server.close());

  test("gives unit vectors, cached between calls, under the name it was opened with", async () => {
    const spec = `openai-compatible:bge-m3@${server.openaiUrl}`;
    const opened = await openEmbedder(spec, { home: temporaryFolder(), offline: false });
    const texts = Array.from({ length: 150 }, (_, i) => `text ${i}`);
    const vectors = await opened.embedder.embed(texts);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const requests = server.calls.length;
    expect(
      server.calls.every(({ api, body }) => api === "embeddings" && body.model === "bge-m3"),
    ).toBe(true);
    expect(Math.max(...server.calls.map(({ body }) => [body.input].flat().length))).toBe(64);
    expect(await opened.embedder.embed(texts)).toEqual(vectors);
    expect(server.calls).toHaveLength(requests);
    expect(opened.embedder.id).toBe(spec);
    await opened.close();
  });

  test("retries a 429 and a 500; a 401 fails at once without the key in its message", async () => {
    const source = await openAiSource({
      id: "x",
      model: "m",
      baseUrl: server.openaiUrl,
      key: "sk-secret-1",
      policy: fastRetries,
    });
    server.next({ status: 429, headers: { "retry-after-ms": "1" } }, { status: 500 });
    const rows: Float32Array[] = [];
    await source.encode(["hello"], (_index, vector) => rows.push(vector));
    expect(rows).toHaveLength(1);
    expect(server.calls).toHaveLength(3);
    server.next({ status: 401, message: "bad key sk-secret-1" });
    const refused = source.encode(["hello"], () => {});
    await expect(refused).rejects.toMatchObject({ kind: "auth" });
    await expect(refused).rejects.not.toThrow(/sk-secret/);
    expect(server.calls).toHaveLength(4);
  });

  test("an abort ends the wait for a hanging server", async () => {
    const source = await openAiSource({
      id: "x",
      model: "m",
      baseUrl: server.openaiUrl,
      policy: fastRetries,
    });
    server.next({ fault: "hang" });
    const controller = new AbortController();
    const hanging = source.encode(["hello"], () => {}, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(hanging).rejects.toThrow();
  });
});

describe("fetching an encoder from a hub", () => {
  const files: { [path: string]: string } = {
    "config.json": "{}",
    "tokenizer.json": "{}",
    "tokenizer_config.json": "{}",
    "1_Pooling/config.json": '{"pooling_mode_cls_token": true}',
    "onnx/model.onnx": "weights",
  };
  let hub: Server;
  let hubUrl: string;
  let asked: string[];
  let cut: string | undefined;
  beforeEach(async () => {
    asked = [];
    cut = undefined;
    hub = createServer((request, response) => {
      const path = request.url!.replace("/owner/name/resolve/main/", "");
      asked.push(path);
      const body = files[path];
      if (body === undefined) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-length": body.length });
      if (path === cut) {
        response.write(body.slice(0, 2));
        setTimeout(() => response.destroy(), 10);
      } else response.end(body);
    });
    await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
    hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => hub.close(resolve)));

  test("brings the files once; optional ones may be absent", async () => {
    const modelsFolder = temporaryFolder();
    const folder = await fetchEncoder("owner/name", { modelsFolder, offline: false, hubUrl });
    expect(folder).toBe(join(modelsFolder, "owner", "name"));
    for (const path of Object.keys(files)) expect(existsSync(join(folder, path))).toBe(true);
    const requests = asked.length;
    await fetchEncoder("owner/name", { modelsFolder, offline: true, hubUrl });
    expect(asked).toHaveLength(requests);
  });

  test("a cut connection leaves no half file, and the next try takes up there", async () => {
    const modelsFolder = temporaryFolder();
    cut = "onnx/model.onnx";
    await expect(
      fetchEncoder("owner/name", { modelsFolder, offline: false, hubUrl }),
    ).rejects.toMatchObject({ code: "E_ENCODER_FETCH" });
    expect(existsSync(join(modelsFolder, "owner/name/onnx/model.onnx"))).toBe(false);
    cut = undefined;
    asked = [];
    await fetchEncoder("owner/name", { modelsFolder, offline: false, hubUrl });
    expect(asked).not.toContain("tokenizer.json");
    expect(asked).toContain("onnx/model.onnx");
  });

  test("a repository without ONNX weights is named", async () => {
    await expect(
      fetchEncoder("owner/other", { modelsFolder: temporaryFolder(), offline: false, hubUrl }),
    ).rejects.toMatchObject({ code: "E_ENCODER_FETCH", details: { got: "HTTP 404" } });
  });
});
