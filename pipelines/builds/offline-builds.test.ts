import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import { loadDataset } from "../../datasets/load.ts";
import { validateDataset } from "../../datasets/validate.ts";
import { makeCatalog } from "../../models/catalog.ts";
import { createGateway } from "../../models/gateway.ts";
import { offlineProvider } from "../../models/offline/index.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import {
  buildMetadata,
  FAMILIES_UNIT,
  familiesRequest,
  inducedDocuments,
  productsIn,
  runBuild,
  structureRequest,
  writeFamiliesFile,
  writeInducedCorpus,
} from "./index.ts";
import { documentPages, pagedDocuments } from "./structure/document-pages.ts";

const samples = fileURLToPath(new URL("../../datasets/samples", import.meta.url));
const run = { concurrency: 4, signal: new AbortController().signal };

function offlineModel() {
  const catalog = makeCatalog([]);
  const gateway = createGateway({ catalog, providers: { offline: offlineProvider } });
  return gateway.model({ id: "offline:extractive", role: "build", repeat: 0 });
}

/** Letters and digits of every page, so that blanks at cuts do not count. */
function pageTexts(corpus: Corpus): Record<string, string[]> {
  return Object.fromEntries(
    [...pagedDocuments(corpus)].map((document) => [
      document.id,
      documentPages(corpus, document).map((page) => page.replace(/\s+/g, "")),
    ]),
  );
}

async function induce(home: string, source: Corpus, keepOutlines: boolean) {
  const request = structureRequest(
    home,
    { corpus: source, model: offlineModel(), keepOutlines },
    run,
  );
  const build = await runBuild(request);
  const options = { corporaFolder: join(home, "corpora"), splitMarkdown: false };
  const induced = await writeInducedCorpus(source, build, options);
  await build.close();
  return { build, induced };
}

describe("the offline model on the samples", () => {
  test("filings get trees that own every page's text once and pass validation as before", async () => {
    const home = temporaryFolder();
    const { corpus, questions } = await loadDataset("financebench", { dataFolder: samples, home });
    const { build, induced } = await induce(home, corpus, false);
    expect(build.manifest).toMatchObject({
      status: "finished",
      offline: true,
      counts: { total: 25, extracted: 25 },
    });
    expect(pageTexts(induced)).toEqual(pageTexts(corpus));
    const findings = (of: Corpus) => {
      const { counts, findingCounts } = validateDataset(of, questions, "financebench");
      return { ...counts, findingCounts };
    };
    expect(findings(induced)).toEqual(findings(corpus));
    const kept = inducedDocuments({ corpus, keepOutlines: true });
    expect(kept.length).toBeLessThan(inducedDocuments({ corpus, keepOutlines: false }).length);
    corpus.close();
    induced.close();
  });

  test("every node with text gets a summary from its own words and keywords", async () => {
    const home = temporaryFolder();
    const { corpus } = await loadDataset("own", { dataFolder: samples, home });
    const options = { corpus, model: offlineModel(), batchShortNodes: true };
    const metadata = await buildMetadata(home, options, run);
    for (let node = 0 as NodeHandle; node < corpus.nodeCount; node++) {
      const found = metadata.get(node);
      expect(found !== undefined).toBe(corpus.readable(node));
      if (found === undefined) continue;
      const own = corpus.text(node).replace(/\s+/g, " ");
      expect(own).toContain(found.summary!.slice(0, 20));
      for (const word of found.keywords!) expect(own).toContain(word);
    }
    expect(metadata.kind).toBe(metadata.manifest.fingerprint);
    await metadata.close();
    corpus.close();
  });

  test("the families file is one that the WixQA loader reads", async () => {
    const home = temporaryFolder();
    const { corpus } = await loadDataset("wixqa", { dataFolder: samples, home });
    const products = productsIn(corpus);
    const build = await runBuild(familiesRequest(home, { products, model: offlineModel() }, run));
    const families = build.get(FAMILIES_UNIT)!.value!;
    const path = join(home, "families.yaml");
    writeFamiliesFile(path, families, build.manifest, { overwrite: false });
    await build.close();
    expect(families.unplaced).toEqual([]);
    const mapped = await loadDataset("wixqa", {
      dataFolder: samples,
      home,
      options: { familiesFile: path },
    });
    const roots = mapped.corpus.roots().map((root) => mapped.corpus.title(root));
    expect(roots).toEqual(
      families.families.map(({ name }) => name).filter((name) => roots.includes(name)),
    );
    expect(mapped.corpus.documentCount).toBe(corpus.documentCount);
    corpus.close();
    mapped.corpus.close();
  });
});

describeRealData("induction of real PDFs", "own-corpus", (folder) => {
  test("with and without an outline the same tree comes out, every page owned once", async () => {
    const home = temporaryFolder();
    const name = "sec-solely-incidental-interpretation";
    mkdirSync(join(home, "data/own"), { recursive: true });
    for (const variant of ["", "-no-outline"]) {
      copyFileSync(
        join(folder, `${name}${variant}.pdf`),
        join(home, `data/own/${name}${variant}.pdf`),
      );
    }
    const { corpus } = await loadDataset("own", { dataFolder: join(home, "data"), home });
    const { build, induced } = await induce(home, corpus, false);
    expect(build.manifest.counts).toMatchObject({ total: 2, extracted: 2 });
    expect(pageTexts(induced)).toEqual(pageTexts(corpus));
    const titles = (variant: string) => {
      const { index } = induced.findDocument(`${name}${variant}.pdf`)!;
      return induced
        .documentNodes(index)
        .map((node) => induced.title(node))
        .slice(1);
    };
    expect(titles("").length).toBeGreaterThan(10);
    expect(titles("-no-outline")).toEqual(titles(""));
    corpus.close();
    induced.close();
  });
});
