import { describe, expect, test } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { openVectorCache } from "./vector-cache.ts";
import { unitVector, type VectorSource } from "./vector-source.ts";

/** Counts what it is asked to encode; a text's vector is its length and its first letter. */
function countingSource(
  name = "counting",
): VectorSource & { encoded: string[]; fail?: Error; hold?: Promise<void> } {
  const source: ReturnType<typeof countingSource> = {
    id: name,
    fingerprint: fingerprint(name),
    dimensions: 2,
    encoded: [],
    async encode(texts, onVector, signal) {
      await source.hold;
      for (const [index, text] of [...texts.entries()].reverse()) {
        signal?.throwIfAborted();
        if (source.fail !== undefined) throw source.fail;
        source.encoded.push(text);
        onVector(index, Float32Array.from([text.length, text.charCodeAt(0)]));
      }
    },
    close: async () => {},
  };
  return source;
}

describe("cached embedder", () => {
  test("gives each text its unit vector, whatever the order of arrival", async () => {
    const cache = openVectorCache(temporaryFolder());
    const embedder = await cachedEmbedder(countingSource(), cache);
    const [abc, z] = await embedder.embed(["abc", "z"]);
    const norm = Math.hypot(3, 97);
    expect(abc![0]).toBeCloseTo(3 / norm, 6);
    expect(abc![1]).toBeCloseTo(97 / norm, 6);
    expect(z![1]).toBeCloseTo(122 / Math.hypot(1, 122), 6);
    await cache.close();
  });

  test("encodes no text twice: within a call, between calls, after opening again", async () => {
    const folder = temporaryFolder();
    const source = countingSource();
    const cache = openVectorCache(folder);
    const embedder = await cachedEmbedder(source, cache);
    const [a, , again] = await embedder.embed(["one", "two", "one"]);
    expect(again).toEqual(a);
    await embedder.embed(["two", "three"]);
    expect(source.encoded.sort()).toEqual(["one", "three", "two"]);
    expect(embedder.encodedCount).toBe(3);
    await cache.close();
    const later = openVectorCache(folder);
    const second = await cachedEmbedder(source, later);
    expect((await second.embed(["one"]))[0]).toEqual(a);
    expect(source.encoded).toHaveLength(3);
    await later.close();
  });

  test("two calls at once for the same text encode it once", async () => {
    const cache = openVectorCache(temporaryFolder());
    const source = countingSource();
    let release!: () => void;
    source.hold = new Promise((resolve) => {
      release = resolve;
    });
    const embedder = await cachedEmbedder(source, cache);
    const both = Promise.all([embedder.embed(["same"]), embedder.embed(["same", "other"])]);
    release();
    const [[first], [second]] = await both;
    expect(second).toEqual(first);
    expect(source.encoded.sort()).toEqual(["other", "same"]);
    await cache.close();
  });

  test("when one caller gives up, the other still gets its vector", async () => {
    const cache = openVectorCache(temporaryFolder());
    const source = countingSource();
    let release!: () => void;
    source.hold = new Promise((resolve) => {
      release = resolve;
    });
    const embedder = await cachedEmbedder(source, cache);
    const controller = new AbortController();
    const given = embedder.embed(["same"], controller.signal);
    const kept = embedder.embed(["same"]);
    controller.abort(new Error("enough"));
    release();
    await expect(given).rejects.toThrow("enough");
    expect(await kept).toHaveLength(1);
    await cache.close();
  });

  test("vectors that arrived before a failure are kept", async () => {
    const cache = openVectorCache(temporaryFolder());
    const source = countingSource();
    const embedder = await cachedEmbedder(source, cache);
    const failing = embedder.embedEach(["a", "b", "c"], (index) => {
      if (index === 1) source.fail = new Error("network");
    });
    await expect(failing).rejects.toThrow("network");
    delete source.fail;
    await embedder.embed(["a", "b", "c"]);
    expect(source.encoded).toEqual(["c", "b", "a"]);
    await cache.close();
  });

  test("encoders do not share vectors; a query may be encoded unlike a passage", async () => {
    const cache = openVectorCache(temporaryFolder());
    const one = countingSource("one");
    const two = countingSource("two");
    two.encodeQuery = async () => Float32Array.from([1, 0]);
    await (await cachedEmbedder(one, cache)).embed(["text"]);
    const second = await cachedEmbedder(two, cache);
    const [passage] = await second.embed(["text"]);
    expect(two.encoded).toEqual(["text"]);
    expect(await second.embedQuery("text")).toEqual(Float32Array.from([1, 0]));
    expect((await second.embed(["text"]))[0]).toEqual(passage);
    await cache.close();
  });

  test("learns the dimensions from a first vector, and refuses another number later", async () => {
    const cache = openVectorCache(temporaryFolder());
    const { dimensions: _known, ...source } = countingSource();
    const embedder = await cachedEmbedder(source, cache);
    expect(embedder.dimensions).toBe(2);
    source.encode = async (_texts, onVector) => onVector(0, new Float32Array(3));
    const odd = await cachedEmbedder(source, cache);
    await expect(odd.embed(["odd"])).rejects.toMatchObject({ code: "E_EMBEDDING_BROKEN" });
    await cache.close();
  });
});

test("unitVector keeps a zero vector and refuses what is no number", () => {
  expect(unitVector([0, 0], "x")).toEqual(new Float32Array(2));
  expect(() => unitVector([Number.NaN, 1], "x")).toThrow(
    expect.objectContaining({ code: "E_EMBEDDING_BROKEN" }),
  );
});
