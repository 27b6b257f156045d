import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { datasetContext, loadCorpus, outlineOf } from "../../tests/support/load-dataset.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { entqabench } from "./index.ts";

function portal(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith(".gz") ? gzipSync(content) : content);
  }
  return folder;
}

const rows = (...records: object[]) => records.map((row) => `${JSON.stringify(row)}\n`).join("");
const outline = async (folder: string) =>
  outlineOf(await loadCorpus(entqabench, datasetContext(folder)));

const shop = portal_pages();
function portal_pages(): Record<string, string> {
  const page = (product: string, path: string, title: string, anchor: string | null) => ({
    product,
    path,
    title,
    anchor,
    markdown: `# ${title}\n{: #${anchor}}\n\nAbout ${path}.\n`,
  });
  return {
    "pages.jsonl": rows(
      page("shop", "about.md", "About {{site.data.keyword.shop}}", "about"),
      page("shop", "tax.md", "Tax", "tax"),
      page("shop", "draft.md", "Draft", null),
      page("mail", "shared.md", "Shared", "shared"),
      page("mail", "twin.md", "Twin", "shared"),
      page("shop", "TAX.md", "Same place", "other"),
    ),
    "toc/shop.toc.yaml": `
toc:
  properties: {label: Acme Shop}
  entries:
  - navgroup:
      id: learn
      topics: [about.md, {topicgroup: {label: Money, topics: [tax.md, gone.md]}}]
  - navgroup:
      id: again
      topics: [tax.md, {include: ../mail/shared.md}]
  - navgroup:
      id: empty
      topics: [{link: {label: x, href: https://x.example}}]
`,
    "toc/mail.toc.yaml": `
toc:
  entries: [{navgroup: {id: all, topics: [shared.md, twin.md]}}]
`,
    "toc/shop.keyref.yaml": "keyword: {shop: Acme Shop}",
    "questions.jsonl": rows(
      {
        id: "q1",
        question: "What tax? ",
        answers: ["7%"],
        pages: ["shop/tax.md", "mail-shared"],
        nuggets: ["7%"],
      },
      { id: "q2", question: "Colour?", answers: ["Not told."], unanswerable: true },
      { id: "q3", question: "Lost?", answers: ["x"], pages: ["shop/none.md"] },
    ),
  };
}

test("a portal by toc.yaml: first parent keeps a page, others are cross-links, strays lie below their product", async () => {
  const corpus = await loadCorpus(entqabench, datasetContext(portal(shop)));
  expect(outlineOf(corpus)).toEqual([
    "Documentation portal",
    ".Acme Shop",
    "..learn",
    "...About Acme Shop *",
    "...Money",
    "....Tax *",
    "..again",
    "..Draft *",
    ".mail",
    "..all",
    "...Shared *",
    "...Twin *",
  ]);
  const again = corpus.findNode("_c_0004")!;
  expect(corpus.title(again)).toBe("again");
  for (const id of ["shop-tax", "mail-shared"]) {
    expect(corpus.attributes(corpus.findDocument(id)!.root)).toEqual({ crossLinks: ["_c_0004"] });
  }
  expect(corpus.findDocument("mail/twin.md")).toBeDefined();
  expect(corpus.text(corpus.findDocument("shop-about")!.root)).toBe("About about.md.");
  expect(corpus.summary).toMatchObject({ singleTree: true, treeCount: 1 });
  expect(corpus.summary.notes.map((note) => note.split(" ").slice(0, 2).join(" "))).toEqual([
    "2 pages",
    "1 pages",
    "1 pages",
    "1 pages",
  ]);
});

test("gold pages are found by id and by place; an absent one makes the question not runnable", async () => {
  const questions = await entqabench.questions(datasetContext(portal(shop)));
  expect(questions).toMatchObject([
    {
      id: "q1",
      text: "What tax?",
      nuggets: ["7%"],
      answerable: true,
      evidence: [
        {
          units: [
            { kind: "document", documentId: "shop-tax" },
            { kind: "document", documentId: "mail-shared" },
          ],
        },
      ],
      meta: { product: "several", pages: "2" },
    },
    { id: "q2", answerable: false, evidence: [] },
    { id: "q3", notRunnable: "page shop/none.md is not in the corpus" },
  ]);
  expect(await entqabench.findings?.(datasetContext(portal(shop)))).toEqual([
    expect.objectContaining({ kind: "document_missing", subject: "shop/gone.md" }),
  ]);
});

test("the option names another file of questions; a portal without any has none", async () => {
  const folder = portal({ "a.md": "# A\n\ntext" });
  expect(await entqabench.questions(datasetContext(folder))).toEqual([]);
  const mine = join(
    portal({ "mine.jsonl": rows({ id: "m", question: "?", answers: [] }) }),
    "mine.jsonl",
  );
  const questions = await entqabench.questions(datasetContext(folder, { questionsFile: mine }));
  expect(questions.map(({ id }) => id)).toEqual(["m"]);
});

test("a folder of files by toc.yml, whatever the letter case; without one by folders and their own pages", async () => {
  const folder = portal({
    "docs/toc.yml": "items:\n- {name: Start, href: Start.md}\n- {name: Dev, href: dev/toc.yml}\n",
    "docs/start.md": "# Start\n\nGo.",
    "docs/dev/toc.yml": "items:\n- {name: Build, href: build.md}\n",
    "docs/dev/build.md": "# Build\n\nMake.",
    "docs/dev/setting.yml": "just: a setting",
    "docs/faq.yml":
      "### YamlMime:FAQ\nmetadata: {title: no}\ntitle: Questions\nsections:\n- question: Why?\n  answer: So.\n",
    "7.6/Core/About/about_x.md": "# about_x\n\nX.",
    "7.6/Core/About/About.md": "# About topics\n\nAll.",
    "7.6/Core/Core.md": "# Core module\n\nCore.",
    "7.6/Core/Get-It.md": "# Get-It\n\nGets.",
    ".hidden/x.md": "# no",
  });
  const corpus = await loadCorpus(entqabench, datasetContext(folder));
  expect(outlineOf(corpus)).toEqual([
    "Documentation portal",
    ".docs",
    "..Start *",
    "..Dev",
    "...Build *",
    "..Questions *",
    ".7.6",
    "..Core module *",
    "...About topics *",
    "....about_x *",
    "...Get-It *",
  ]);
  expect(corpus.text(corpus.findDocument("docs/faq.yml")!.root)).toBe("Why?\n\nSo.");
});

test("by breadcrumbs: below the linked page, groups for titles, and circles end", async () => {
  const page = (path: string, title: string, breadcrumbs: (string | object)[]) => ({
    path,
    title,
    breadcrumbs,
    html: `<main><h1>${title}</h1><p>${title}.</p></main>`,
  });
  const home = { title: "Home", url: "/" };
  const folder = portal({
    "pages.jsonl.gz": rows(
      page("help/tax.html", "Tax", [home, { title: "Help", url: "/help/index.html" }, "Tax"]),
      page("help/index.html", "Help", [home, "Help"]),
      page("news/a.html", "A", ["News", "Spring"]),
      page("news/b.html", "B", ["News", "Spring"]),
      page("ring/a.html", "Ring A", [{ title: "Ring B", url: "b.html" }]),
      page("ring/b.html", "Ring B", [{ title: "Ring A", url: "a.html" }]),
    ),
  });
  expect(await outline(folder)).toEqual([
    "Documentation portal",
    ".Help *",
    "..Tax *",
    ".News",
    "..Spring",
    "...A *",
    "...B *",
    ".Ring B *",
    "..Ring A *",
  ]);
});

test("by the paths of a sitemap, in its order; what all addresses share makes no node", async () => {
  const page = (url: string, text: string) => ({ url: `https://x.example/docs/${url}`, text });
  const folder = portal({
    "pages.jsonl": rows(
      page("mail/send", "# Send\n\ns"),
      page("shop", "# Shop\n\ns"),
      page("shop/tax/", "# Tax\n\nt"),
      page("shop/old", "# Old\n\no"),
    ),
    "sitemap.xml": `<?xml version="1.0"?><urlset><url><loc>https://x.example/docs/shop/tax</loc></url>
      <url><loc><![CDATA[https://x.example/docs/mail/send]]></loc></url>
      <url><loc>https://x.example/more-sitemap.xml.gz</loc></url>
      <url><loc>https://x.example/docs/none?a=1&amp;b=2</loc></url></urlset>`,
  });
  expect(await outline(folder)).toEqual([
    "Documentation portal",
    ".Shop *",
    "..Tax *",
    "..Old *",
    ".mail",
    "..Send *",
  ]);
});

test("an empty folder says what to bring, and nothing is left in the cache folder", async () => {
  await expect(entqabench.sources(datasetContext(temporaryFolder()))).rejects.toMatchObject({
    code: "E_DATA_MISSING",
  });
  const context = datasetContext(portal({ "a.md": "# A\n\ntext" }));
  await loadCorpus(entqabench, context);
  expect(readdirSync(context.cacheFolder)).toEqual([]);
  const broken = datasetContext(
    portal({ "pages.jsonl": '{"path": "a", "text": "x"}\n{"path": "b"}\n' }),
  );
  await expect(loadCorpus(entqabench, broken)).rejects.toMatchObject({
    code: "E_DATA_FORMAT",
    details: { expected: "markdown, html or text" },
  });
  expect(readdirSync(broken.cacheFolder)).toEqual([]);
});

describeRealData("PowerShell portal", "powershell-docs", (folder) => {
  test("1,118 pages in one tree, all but one in the navigation or a module", async () => {
    const context = datasetContext(folder);
    const corpus = await loadCorpus(entqabench, context);
    expect(corpus.summary).toMatchObject({ documentCount: 1118, treeCount: 1 });
    const cmdlet = corpus.findDocument("7.6/CimCmdlets/Get-CimClass.md")!;
    expect(corpus.ancestors(cmdlet.root).map((node) => corpus.title(node))).toEqual([
      "Documentation portal",
      "7.6",
      "CimCmdlets Module",
    ]);
    expect(await entqabench.findings?.(context)).toEqual([]);
  });
});

describeRealData("IBM Cloud portal", "ibm-cloud-docs", (folder) => {
  test("3,234 pages of 13 products, and questions whose gold pages are all there", async () => {
    const context = datasetContext(folder);
    const corpus = await loadCorpus(entqabench, context);
    // The root, 13 products, and the groups of their navigation; one page has no text.
    expect(corpus.summary).toMatchObject({
      documentCount: 3234,
      readableCount: 3233,
      treeCount: 1,
      maxDepth: 5,
    });
    expect(corpus.children(corpus.roots()[0]!)).toHaveLength(13);
    expect(corpus.summary.notes).toContainEqual(expect.stringMatching(/^86 pages stand in no/));
    const page = corpus.findDocument("vpc-about-vpc")!;
    expect(corpus.text(page.root)).not.toMatch(/\{: |site\.data|^---/m);
    const questions = await entqabench.questions(context);
    expect(questions).toHaveLength(15);
    expect(questions.filter(({ notRunnable }) => notRunnable !== undefined)).toEqual([]);
  });
});
