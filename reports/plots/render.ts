import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { TopLevelSpec } from "vega-lite";
import { RitbenchError } from "../../core/errors.ts";

/**
 * A vega-lite chart as SVG, without browser or canvas. The same spec gives the same bytes.
 * vega is loaded at the first call: it costs about a second.
 */
export async function renderSvg(spec: TopLevelSpec): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  const { spec: compiled } = vegaLite.compile(spec);
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Width of the PNG in pixels for each pixel of the SVG. */
const PNG_SCALE = 2;

/**
 * An SVG as PNG at twice its size, with fonts from a package: without font files the renderer draws no text and
 * reports nothing.
 *
 * @throws RitbenchError E_FONT_MISSING when the font files are absent.
 */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: PNG_SCALE },
    background: "white",
    font: { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: PLOT_FONT },
  });
  return image.render().asPng();
}

export const PLOT_FONT = "DejaVu Sans";

function fontFiles(): string[] {
  const require = createRequire(import.meta.url);
  return ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((name) => {
    const path = require.resolve(`dejavu-fonts-ttf/ttf/${name}`);
    if (!existsSync(path)) {
      throw new RitbenchError("E_FONT_MISSING", `the plot font ${name} is absent`, {
        where: path,
        next: "npm ci",
      });
    }
    return path;
  });
}
