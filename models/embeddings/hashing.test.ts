import { expect, test } from "vitest";
import { hashingSource } from "./hashing.ts";
import { unitVector } from "./vector-source.ts";

async function encode(...texts: string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  await hashingSource().encode(texts, (index, vector) => {
    vectors[index] = unitVector(vector, "hashing", 512);
  });
  return vectors;
}
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0);

test("shared words make texts near, other words do not; case and order play no part", async () => {
  const [a, shuffled, near, far] = await encode(
    "Descale the kettle with vinegar",
    "vinegar WITH kettle the descale",
    "How do I descale my kettle?",
    "Quarterly revenue rose",
  );
  expect(dot(a!, shuffled!)).toBeCloseTo(1, 6);
  expect(dot(a!, near!)).toBeGreaterThan(0.4);
  expect(Math.abs(dot(a!, far!))).toBeLessThan(0.2);
});

test("two words by hand: each has its own slot and a weight of 1/sqrt(2)", async () => {
  const [both, kettle] = await encode("kettle vinegar", "kettle");
  expect([...kettle!].filter((value) => value !== 0)).toHaveLength(1);
  expect([...both!].filter((value) => value !== 0).map(Math.abs)).toEqual([
    expect.closeTo(Math.SQRT1_2, 6),
    expect.closeTo(Math.SQRT1_2, 6),
  ]);
  expect(dot(both!, kettle!)).toBeCloseTo(Math.SQRT1_2, 6);
});

test("a text without words is the zero vector", async () => {
  const [none] = await encode("?!... \n");
  expect(none!.every((value) => value === 0)).toBe(true);
});
