import { expect, test } from "vitest";
import { productsOf, urlSlug } from "./products.ts";

const site = "https://help.example/en/article/";
const products = (...rows: [title: string, slug: string][]) =>
  productsOf(rows.map(([title, slug]) => ({ title, url: `${site}${slug}` })));

test("a prefix is a product when an address begins with it or two titles do", () => {
  expect(
    products(
      ["Acme Shop: Adding Tax", "acme-shop-adding-tax"],
      ["Acme Mail: Old Title", "renamed-since"],
      ["Acme Mail: Other", "renamed-too"],
      ["Warning: Read This", "reading-warnings"],
    ),
  ).toEqual(["Acme Shop", "Acme Mail", "Acme Mail", "General"]);
});

test("without a prefix the address tells: its head first, then anywhere, the longest product wins", () => {
  expect(
    products(
      ["Acme: Start", "acme-start"],
      ["Acme Shop: Start", "acme-shop-start"],
      ["Verification", "acme-shop-verification"],
      ["Payouts", "receiving-payouts-from-acme-shop"],
      ["Acmes", "acmes-of-the-world"],
      ["Nothing", "nothing-known-1472847"],
    ).slice(2),
  ).toEqual(["Acme Shop", "Acme Shop", "General", "General"]);
});

test("kinds of article are no products and are cut off behind one", () => {
  expect(
    products(
      ["Acme Shop: Start", "acme-shop-start"],
      ["Acme Shop Request: More Colours", "acme-shop-request-more-colours"],
      ["Known Issue: Acme Shop: Slow", "known-issue-slow"],
      ["Request: A Pony", "request-a-pony"],
      ["Request: A Horse", "request-a-horse"],
    ).slice(1),
  ).toEqual(["Acme Shop", "Acme Shop", "General", "General"]);
});

test("hostile titles make no products", () => {
  expect(
    products(
      ["../../../etc/shop: Deleted", "restoring-deleted-sites"],
      ['=HYPERLINK("https://evil.example"): x', "spreadsheets"],
      [`${"Very ".repeat(20)}long: x`, "very-long"],
      [": x", ""],
    ),
  ).toEqual(["General", "General", "General", "General"]);
});

test("slugs are read from addresses, also from ones that are no URL", () => {
  expect(urlSlug("https://help.example/en/article/Acme’s-Shop/?x=1")).toBe("acmes-shop");
  expect(urlSlug("not a url/Last Part")).toBe("last-part");
  expect(urlSlug("https://help.example/en/100%-off")).toBe("100-off");
  expect(urlSlug("")).toBe("");
});
