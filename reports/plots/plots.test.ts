import { describe, expect, it } from "vitest";
import { curveSpec } from "./curve.ts";
import { renderSvg } from "./render.ts";
import { stackedBarsSpec } from "./stacked-bars.ts";
import { upsetSpec } from "./upset.ts";

const curve = curveSpec({
  title: "Accuracy by n",
  xTitle: "nodes kept (n)",
  yTitle: "Accuracy (%)",
  logarithmic: true,
  panels: [
    {
      name: "Toy",
      series: [
        {
          name: "ours",
          points: [
            { x: 5, y: 60, low: 50, high: 70 },
            { x: 25, y: 80, low: 72, high: 86, label: "n = 25" },
          ],
        },
        { name: "paper", reference: true, points: [{ x: 25, y: 88, low: null, high: null }] },
      ],
    },
  ],
  caption: ["n = 200"],
});
const upset = upsetSpec({
  title: "Overlap",
  panels: [
    {
      name: "Toy",
      methods: ["RIT-RAG", "Agentic Search"],
      regions: [
        { methods: ["RIT-RAG", "Agentic Search"], questions: 7 },
        { methods: ["RIT-RAG"], questions: 2 },
        { methods: [], questions: 1 },
      ],
    },
  ],
  caption: [],
});
const bars = stackedBarsSpec({
  title: "Cost",
  xTitle: "US cents",
  kinds: ["build", "answer", "judge"],
  panels: [
    { name: "Toy", bars: [{ label: "RIT-RAG", parts: { build: 1, answer: 3, judge: 0.5 } }] },
  ],
  caption: [],
});

describe("plots", () => {
  it("draw a curve with intervals, references and labels", async () => {
    await expect(await renderSvg(curve)).toMatchFileSnapshot("golden/curve.svg");
  });

  it("draw overlaps as bars over dots", async () => {
    await expect(await renderSvg(upset)).toMatchFileSnapshot("golden/upset.svg");
  });

  it("draw stacked bars", async () => {
    await expect(await renderSvg(bars)).toMatchFileSnapshot("golden/stacked-bars.svg");
  });

  it("keep hostile names inert and survive empty panels", async () => {
    const hostile = '<script>alert(1)</script>"';
    const svg = await renderSvg(
      upsetSpec({
        title: hostile,
        panels: [{ name: hostile, methods: [hostile], regions: [] }],
        caption: [hostile],
      }),
    );
    expect(svg).not.toContain("<script");
    expect(svg).toContain("&lt;script");
  });

  it("break long titles and captions instead of growing wider", async () => {
    const widthOf = async (title: string): Promise<number> => {
      const svg = await renderSvg(
        upsetSpec({
          title,
          panels: [{ name: "Toy", methods: ["m"], regions: [{ methods: ["m"], questions: 1 }] }],
          caption: [title],
        }),
      );
      return Number(/width="(\d+)/.exec(svg)?.[1]);
    };
    expect(await widthOf("word ".repeat(100))).toBeLessThan(1200);
  });
});
