import { describe, expect, test } from "vitest";
import { parsePrompt } from "./prompt-file.ts";

const file = (text: string, version = 1) => `---\nname: greet\nversion: ${version}\n---\n${text}`;

describe("prompt files", () => {
  test("fill their slots and drop the front matter", () => {
    const prompt = parsePrompt(file("\nHello {{who}}, {{who}}.\n"), "x.md");
    expect(prompt.render({ who: "reader" })).toBe("Hello reader, reader.");
    expect([prompt.name, prompt.version]).toEqual(["greet", 1]);
  });

  test("leave a slot that stands inside a value alone, and dollar signs too", () => {
    const prompt = parsePrompt(file("Q: {{question}}"), "x.md");
    expect(prompt.render({ question: "{{secret}} $& $1", secret: "no" })).toBe(
      "Q: {{secret}} $& $1",
    );
  });

  test("refuse to render with a slot missing, inherited names included", () => {
    const prompt = parsePrompt(file("{{toString}}"), "x.md");
    expect(() => prompt.render({})).toThrow("no value for {{toString}}");
  });

  test("hash wording and version, not line endings", () => {
    const hash = (source: string) => parsePrompt(source, "x.md").hash;
    expect(hash(file("a b"))).toBe(hash(file("a b").replaceAll("\n", "\r\n")));
    expect(hash(file("a b"))).not.toBe(hash(file("a c")));
    expect(hash(file("a b"))).not.toBe(hash(file("a b", 2)));
  });

  test("without name and version are refused with their path", () => {
    expect(() => parsePrompt("just text", "prompts/x.md")).toThrow("prompts/x.md");
    expect(() => parsePrompt("---\nname: a\nversion: one\n---\nt", "prompts/y.md")).toThrow("y.md");
  });
});
