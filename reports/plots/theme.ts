import { PLOT_FONT } from "./render.ts";

/** Okabe and Ito's palette: told apart by readers who do not see all colours, too. */
export const COLOURS = [
  "#D55E00",
  "#0072B2",
  "#009E73",
  "#CC79A7",
  "#56B4E9",
  "#E69F00",
  "#000000",
];

/** Frame of every figure: font, title, captions below it, panels in two columns. */
export function framed(
  { title, caption }: { title: string; caption: readonly string[] },
  panels: readonly object[],
): object {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    padding: 12,
    config: {
      font: PLOT_FONT,
      axis: { gridColor: "#e6e6e6", labelFontSize: 11, titleFontSize: 12 },
      view: { stroke: "#999999" },
    },
    title: {
      // Long lines would make the picture wider than its panels.
      text: wrapped(title, 84),
      subtitle: caption.flatMap((line) => wrapped(line, 125)),
      anchor: "start",
      fontSize: 15,
      subtitleFontSize: 11,
      subtitleColor: "#444444",
      offset: 14,
    },
    columns: 2,
    // Without a canvas text widths are guessed, and long axis titles would push the panels apart.
    bounds: "flush",
    spacing: { row: 80, column: 75 },
    concat: panels,
  };
}

/** A text in lines of at most so many characters, broken at blanks. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
