import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { buildCorpus } from "../../../core/corpus/writer.ts";
import { scriptedModel } from "../../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { runBuild } from "../stage/run-build.ts";
import { FAMILIES_UNIT, familiesRequest, writeFamiliesFile } from "./build.ts";
import { productsIn } from "./group.ts";

const names = ["Shop", "Cart", "Blog", 'Odd: # "one"', "Lost"];
const products = names.map((name) => ({ name, articles: [`About ${name}`] }));
const family = (name: string, ...inside: string[]) => ({ name, products: inside });
const reply = (...families: ReturnType<typeof family>[]) => ({
  content: JSON.stringify({ families }),
});

test("each product lands in one family; left-out ones are asked for again, then listed", async () => {
  const home = temporaryFolder();
  const model = scriptedModel([
    reply(
      family("Selling", "Shop", "Cart", "Invented"),
      family("Writing", "Blog", "Shop"),
      family("None", "Other"),
    ),
    reply(family("Selling", names[3]!)),
    reply(family("", "Lost")),
  ]);
  const run = { concurrency: 1, signal: new AbortController().signal };
  const build = await runBuild(familiesRequest(home, { products, model }, run));
  const value = build.get(FAMILIES_UNIT)!.value!;
  expect(value).toEqual({
    families: [family("Selling", "Shop", "Cart", names[3]!), family("Writing", "Blog")],
    unplaced: ["Lost"],
  });
  expect(model.requests[1]!.messages[0]!.content).not.toContain("- Shop");
  const path = join(home, "families.yaml");
  writeFamiliesFile(path, value, build.manifest, { overwrite: false });
  await build.close();
  const text = readFileSync(path, "utf8");
  expect(parse(text)).toEqual({
    families: { Selling: ["Shop", "Cart", names[3]], Writing: ["Blog"] },
  });
  expect(text).toContain("# Not placed, and so in the loader's last family: Lost");
  writeFileSync(path, "edited");
  expect(() => writeFamiliesFile(path, value, build.manifest, { overwrite: false })).toThrow(
    expect.objectContaining({ code: "E_FILE_EXISTS" }),
  );
  expect(readFileSync(path, "utf8")).toBe("edited");
});

test("products are the containers right above documents, each name once", async () => {
  const corpus = await buildCorpus(
    { corporaFolder: temporaryFolder(), dataset: "toy", singleTree: false },
    (sink) => {
      const article = (id: string) => ({ title: `Article ${id}`, documentId: id, text: "text" });
      sink.tree({
        title: "Family",
        children: [
          { title: "Shop", children: ["a", "b", "c", "d"].map(article) },
          { title: "Blog", children: [article("e")] },
        ],
      });
      sink.tree({ title: "Family 2", children: [{ title: "Shop", children: [article("f")] }] });
    },
  );
  expect(productsIn(corpus)).toEqual([
    { name: "Shop", articles: ["Article a", "Article b", "Article c"] },
    { name: "Blog", articles: ["Article e"] },
  ]);
  corpus.close();
});
