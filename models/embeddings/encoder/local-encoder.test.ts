import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeRealModel } from "../../../tests/support/real-data.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { unitVector, type VectorSource } from "../vector-source.ts";
import { hasLocalEncoder, localEncoder } from "./local-encoder.ts";

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0);

const installed = hasLocalEncoder();

describeRealModel(
  "local encoder (needs @huggingface/transformers)",
  "all-MiniLM-L6-v2",
  (folder) => {
    beforeEach(({ skip }) => skip(!installed));
    let source: VectorSource | undefined;
    beforeAll(async () => {
      if (!installed) return;
      source = await localEncoder(folder, "local:minilm", { processes: 2 });
    });
    afterAll(() => source?.close());

    async function encode(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
      const vectors = new Array<Float32Array>(texts.length);
      await source!.encode(
        texts,
        (index, vector) => {
          vectors[index] = unitVector(vector, source!.id, 384);
        },
        signal,
      );
      return vectors;
    }

    test("mean pooling gives the known first values of the int8 weights' float twin", async () => {
      const [vector] = await encode(["This is an example sentence"]);
      const known = [0.06766, 0.0635, 0.04871, 0.0793];
      for (const [i, value] of known.entries()) expect(vector![i]).toBeCloseTo(value, 2);
      expect(Math.abs(dot(vector!, vector!) - 1)).toBeLessThan(1e-6);
    });

    test("similar texts are nearer than unrelated ones; each vector goes to its own text", async () => {
      const texts = [
        "Who directed the film?",
        "A long report about quarterly revenue and net income of the company.",
        "The film was directed by her.",
      ];
      const [film, money, director] = await encode(texts);
      expect(dot(film!, director!)).toBeGreaterThan(dot(film!, money!) + 0.2);
      expect((await encode([...texts].reverse())).reverse()).toEqual([film, money, director]);
    });

    test("the end of a text of 400 pieces counts: the tokenizer file's cut at 128 is off", async () => {
      const start = "word ".repeat(390);
      const [a, b] = await encode([`${start}banana split`, `${start}court ruling`]);
      expect(dot(a!, b!)).toBeLessThan(0.9999);
      const [c, d] = await encode([`${"word ".repeat(600)}banana`, `${"word ".repeat(600)}court`]);
      expect(dot(c!, d!)).toBeCloseTo(1, 6);
    });

    test("an aborted signal stops the batch, and the encoder works on", async () => {
      const controller = new AbortController();
      const stopped = encode(
        Array.from({ length: 200 }, (_, i) => `text ${i} ${"and more ".repeat(50)}`),
        controller.signal,
      );
      controller.abort(new Error("enough"));
      await expect(stopped).rejects.toThrow("enough");
      expect(await encode(["still here"])).toHaveLength(1);
    });

    test("faults of the folder and of the install are told apart", async () => {
      await expect(
        localEncoder(folder, "local:x", { hasPackage: () => false }),
      ).rejects.toMatchObject({ code: "E_PACKAGE_MISSING" });
      const copy = join(temporaryFolder(), "encoder");
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, "pooling.json"));
      await expect(localEncoder(copy, "local:x")).rejects.toMatchObject({
        code: "E_ENCODER_POOLING",
      });
      writeFileSync(join(copy, "pooling.json"), '{"pooling_mode_cls_token": true}');
      writeFileSync(join(copy, "onnx/model_quantized.onnx"), "not a model");
      const broken = await localEncoder(copy, "local:x", { processes: 1 });
      await expect(broken.encode(["a"], () => {})).rejects.toMatchObject({
        code: "E_ENCODER_FAILED",
      });
      rmSync(join(copy, "tokenizer.json"));
      await expect(localEncoder(copy, "local:x")).rejects.toMatchObject({
        code: "E_ENCODER_MISSING",
      });
    });
  },
);
