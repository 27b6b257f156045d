import { expect, test } from "vitest";
import { htmlPage } from "./html-page.ts";

test("reads the main part: title, sub-headings as lines, no navigation", () => {
  const page = htmlPage(`<html><head><title>Tickets | Acme</title></head><body>
    <nav class="breadcrumb"><ol><li><a href="/">Home</a></li><li>Tickets</li></ol></nav>
    <main><h1>Tickets</h1><p>Send &amp; wait.</p><h2>Limits</h2><ul><li>Ten a day</li></ul></main>
    <footer>Imprint</footer></body></html>`);
  expect(page.title).toBe("Tickets");
  expect(page.text).toBe("Send & wait.\n\nLimits\n\n- Ten a day");
  expect(page.crumbs).toEqual([{ title: "Home", url: "/" }, { title: "Tickets" }]);
});

test("takes breadcrumbs from JSON-LD first, by position, also within a graph", () => {
  const list = {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 2, name: "Shop", item: "https://x.example/shop" },
      { "@type": "ListItem", position: 1, item: { "@id": "https://x.example/", name: "Docs" } },
      { position: 3, name: "Tax" },
    ],
  };
  const page = (data: unknown) =>
    htmlPage(`<script type="application/ld+json">{ broken</script>
      <script type="application/ld+json">${JSON.stringify(data)}</script>
      <div class="breadcrumbs"><a href="/no">No</a></div><p>x</p>`).crumbs;
  const expected = [
    { title: "Docs", url: "https://x.example/" },
    { title: "Shop", url: "https://x.example/shop" },
    { title: "Tax" },
  ];
  expect(page(list)).toEqual(expected);
  expect(page({ "@graph": [{ "@type": "WebPage" }, list] })).toEqual(expected);
  expect(page({ "@type": "WebPage" })).toEqual([{ title: "No", url: "/no" }]);
});
