import { Resvg } from "@resvg/resvg-js";
import { describe, expect, it } from "vitest";
import { type ParetoPoint, paretoFrontier, paretoSpec } from "./pareto.ts";
import { renderPng, renderSvg } from "./render.ts";

const point = (method: string, x: number | null, accuracy: number): ParetoPoint => ({
  method,
  star: method === "RIT-RAG",
  x,
  accuracy,
  low: accuracy - 0.1,
  high: accuracy + 0.05,
  n: 20,
});

describe("paretoFrontier", () => {
  it("keeps what no other point beats", () => {
    const points = [
      { x: 3, accuracy: 0.9 },
      { x: 1, accuracy: 0.5 },
      { x: 2, accuracy: 0.4 },
      { x: 4, accuracy: 0.9 },
      { x: 1, accuracy: 0.3 },
    ];
    expect(paretoFrontier(points)).toEqual([
      { x: 1, accuracy: 0.5 },
      { x: 3, accuracy: 0.9 },
    ]);
  });

  it("is empty without points", () => {
    expect(paretoFrontier([])).toEqual([]);
  });
});

describe("paretoSpec", () => {
  const plot = {
    title: "Accuracy and cost",
    xTitle: "US cents",
    panels: [
      {
        dataset: "Toy",
        points: [
          point("RIT-RAG", 2, 0.9),
          point("Vanilla RAG", 1, 0.4),
          point("Unpriced", null, 0.5),
        ],
      },
    ],
    caption: ["n = 20"],
  };

  it("draws the same bytes every time, with every method that has an x", async () => {
    const svg = await renderSvg(paretoSpec(plot));
    expect(await renderSvg(paretoSpec(plot))).toBe(svg);
    for (const text of [
      "RIT-RAG",
      "Vanilla RAG",
      "Accuracy and cost",
      "US cents",
      "Toy",
      "n = 20",
    ]) {
      expect(svg).toContain(text);
    }
  });

  it("draws text into the PNG: taking the text out of the SVG changes the picture", async () => {
    const svg = await renderSvg(paretoSpec(plot));
    const png = await renderPng(svg);
    const blank = await renderPng(svg.replace(/<text[^>]*>[^<]*<\/text>/g, ""));
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe("PNG");
    expect(inkOf(png)).toBeGreaterThan(inkOf(blank) * 1.2);
  });

  it("survives an empty panel", async () => {
    const svg = await renderSvg(paretoSpec({ ...plot, panels: [{ dataset: "None", points: [] }] }));
    expect(svg).toContain("None");
  });
});

/** Dark pixels of a PNG, counted by drawing it again. */
function inkOf(png: Uint8Array): number {
  const uri = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const { width, height } = sizeOf(png);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${uri}" width="${width}" height="${height}"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  let ink = 0;
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i]! < 100) ink++;
  return ink;
}

function sizeOf(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
