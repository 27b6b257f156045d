/** What tells an article's product. */
export interface ArticleHead {
  title: string;
  url: string;
}

/** Product of articles that name none. */
export const NO_PRODUCT = "General";

const MAX_PRODUCT_LENGTH = 60;

/** Kinds of article that stand where a product would: on their own they name none, after a product they are cut off. */
const KIND_WORDS = /\s*\b(?:feature request|known issue|request|troubleshooting|error message)$/i;

/**
 * Product of each article. A title's part before `: ` names a product ("Shop: Adding Tax") when the whole corpus
 * bears it out: some address begins with it, or two titles do. Articles without such a part belong to the longest
 * known product that their address begins with, else the longest that it holds, else to {@link NO_PRODUCT}.
 */
export function productsOf(articles: readonly ArticleHead[]): string[] {
  const prefixes = articles.map(({ title }) => prefixOf(title));
  const slugs = articles.map(({ url }) => urlSlug(url));
  const known = knownProducts(prefixes, slugs);
  const bySlug = [...known]
    .map((product): [string, string] => [slugOf(product), product])
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  return articles.map((_, i) => {
    const prefix = prefixes[i];
    if (prefix !== undefined && known.has(prefix)) return prefix;
    const slug = slugs[i]!;
    const found =
      bySlug.find(([product]) => slug === product || slug.startsWith(`${product}-`)) ??
      bySlug.find(([product]) => `-${slug}-`.includes(`-${product}-`));
    return found?.[1] ?? NO_PRODUCT;
  });
}

function knownProducts(
  prefixes: readonly (string | undefined)[],
  slugs: readonly string[],
): Set<string> {
  const titles = new Map<string, number>();
  const confirmed = new Set<string>();
  prefixes.forEach((prefix, i) => {
    if (prefix === undefined) return;
    titles.set(prefix, (titles.get(prefix) ?? 0) + 1);
    const slug = slugOf(prefix);
    if (slug !== "" && `${slugs[i]}-`.startsWith(`${slug}-`)) confirmed.add(prefix);
  });
  return new Set(
    [...titles].filter(([name, count]) => count > 1 || confirmed.has(name)).map(([name]) => name),
  );
}

/** The title's first part that names something other than a kind of article. */
function prefixOf(title: string): string | undefined {
  for (const part of title.split(": ").slice(0, -1)) {
    const name = part.trim().replace(KIND_WORDS, "").trim();
    if (name !== "") return name.length <= MAX_PRODUCT_LENGTH ? name : undefined;
  }
  return undefined;
}

/** Last part of an address's path as words joined by hyphens, in lower case. */
export function urlSlug(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last = path.split("/").findLast((part) => part !== "") ?? "";
  return slugOf(decoded(last));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[’']/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
