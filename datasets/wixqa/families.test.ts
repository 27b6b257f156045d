import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { familiesByRule, readFamilies } from "./families.ts";

function fileWith(content: string): string {
  const path = join(temporaryFolder(), "families.yaml");
  writeFileSync(path, content);
  return path;
}

test("the rule has sixteen families and reads whole words of the product, then of the address", () => {
  const families = familiesByRule();
  expect(families.names).toHaveLength(16);
  expect(families.familyOf("Acme Stores", "https://x.example/domain-names")).toBe(
    "Stores and selling",
  );
  expect(families.familyOf("General", "https://x.example/about-your-domain")).toBe("Domains");
  expect(families.familyOf("General", "https://x.example/storest-thing")).toBe("General help");
});

test("a mapping file decides; products it does not list come last", async () => {
  const families = await readFamilies(
    fileWith("families:\n  Money: [Acme Pay]\n  Shop: [Acme Shop]\n"),
  );
  expect(families.names).toEqual(["Money", "Shop", "General help"]);
  expect(families.familyOf("Acme Pay", "")).toBe("Money");
  expect(families.familyOf("Acme Mail", "")).toBe("General help");
});

test.each([
  ["families: [a]", "E_DATA_FORMAT"],
  ["families: {A: [p], B: [p]}", "E_DATA_FORMAT"],
  ["families: {", "E_DATA_FORMAT"],
])("refuses %s", async (content, code) => {
  await expect(readFamilies(fileWith(content))).rejects.toMatchObject({ code });
});

test("an absent file is named", async () => {
  const path = join(temporaryFolder(), "none.yaml");
  await expect(readFamilies(path)).rejects.toMatchObject({
    code: "E_DATA_MISSING",
    details: { where: path },
  });
});
