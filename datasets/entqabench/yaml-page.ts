import { parse } from "yaml";
import type { PageText } from "./markdown-page.ts";

const FIRST_LINE = /^\uFEFF?### YamlMime:/;
/** Fields whose strings no reader sees. */
const HIDDEN = /^(?:metadata|url|href|src|imageSrc|itemType|linkListType|uid|ms\..*|author)$/;

/** Whether a YAML file is a page (a landing page, a list of questions) and no navigation or setting. */
export function isYamlPage(source: string): boolean {
  return FIRST_LINE.test(source);
}

/** Title and visible strings of a YAML page, one paragraph each in the order of the file. */
export function yamlPage(source: string): PageText {
  let data: unknown;
  try {
    data = parse(source, { logLevel: "silent" });
  } catch {
    return { text: source.trim() };
  }
  const title = (data as { title?: unknown } | null)?.title;
  const strings: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string" && value.trim() !== "") strings.push(value.trim());
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      for (const [name, field] of Object.entries(value)) {
        if (!HIDDEN.test(name) && !(name === "title" && value === data)) visit(field);
      }
    }
  };
  visit(data);
  return {
    ...(typeof title === "string" && title.trim() !== "" && { title: title.trim() }),
    text: strings.join("\n\n"),
  };
}
