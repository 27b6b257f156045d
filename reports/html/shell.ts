import { readFileSync } from "node:fs";
import { packageFile } from "../../core/package-file.ts";

/** Scripts in the order in which they are loaded, and the style. */
export const SCRIPTS = [
  "dom.js",
  "words.js",
  "data.js",
  "tree.js",
  "events.js",
  "record.js",
  "question.js",
  "leaderboard.js",
  "questions.js",
  "main.js",
] as const;
export const ASSETS: readonly string[] = ["report.css", ...SCRIPTS];

/** Path of a file that is copied into every report. */
export function assetPath(name: string): string {
  return packageFile(`reports/html/assets/${name}`);
}

export interface ShellOptions {
  /** Served while the run goes on: the page asks its own server for news. */
  live: boolean;
}

/**
 * What the page may load: the files beside it and nothing else. No inline script or style, no other host, no form, no
 * frame; a live page may also fetch from its own server.
 */
export function shellPolicy({ live }: ShellOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${live ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The page without its data. */
export function shellHtml(title: string, options: ShellOptions): string {
  const fields: { [name: string]: string } = {
    title: escapeHtml(title),
    policy: shellPolicy(options),
    live: options.live ? ' data-live="true"' : "",
    scripts: SCRIPTS.map((name) => `<script src="${name}" defer></script>`).join("\n    "),
  };
  return readFileSync(assetPath("index.html"), "utf8").replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => fields[name]!,
  );
}

/** Text made safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
