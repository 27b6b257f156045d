import { z } from "zod";
import type { Corpus } from "../../../core/corpus/corpus.ts";
import { CONTAINER_DOCUMENT } from "../../../core/ids.ts";
import type { ChatModel } from "../../../core/model.ts";
import { loadPrompt } from "../../../core/prompt-file.ts";
import { askJson, repairPrompt } from "../reply/ask-json.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));
const all = load("wixqa-families");
const rest = load("wixqa-families-rest");

export const familyPrompts = [all, rest, repairPrompt];

/** A product and what its articles are called. */
export interface Product {
  name: string;
  articles: readonly string[];
}

/** Families in the model's order; every product is in one family or in `unplaced`. */
export interface Families {
  families: { name: string; products: string[] }[];
  /** Products that the model left out, also when asked for them again. */
  unplaced: string[];
}

const EXAMPLES = 3;
const MOST_ROUNDS = 3;

const reply = z.object({
  families: z.array(z.object({ name: z.string(), products: z.array(z.string()) })),
});

/** The products of a corpus of families, products and articles: containers right above documents, each name once. */
export function productsIn(corpus: Corpus): Product[] {
  const products = new Map<string, string[]>();
  for (let index = 0; index < corpus.documentCount; index++) {
    const document = corpus.document(index);
    if (document.id === CONTAINER_DOCUMENT) continue;
    const parent = corpus.parent(document.root);
    if (parent === -1) continue;
    const name = corpus.title(parent);
    const articles = products.get(name) ?? [];
    products.set(name, articles);
    if (articles.length < EXAMPLES) articles.push(document.title);
  }
  return [...products].map(([name, articles]) => ({ name, articles }));
}

/**
 * Groups products into families by one call. Names that are no product are passed over, a product named twice
 * stays where it came first, and products left out are asked for again, twice at most.
 */
export async function groupProducts(
  products: readonly Product[],
  wanted: number,
  model: ChatModel,
): Promise<Families> {
  const families = new Map<string, string[]>();
  let open = new Map(products.map((product) => [product.name, product]));
  for (let round = 0; round < MOST_ROUNDS && open.size > 0; round++) {
    const lines = [...open.values()].map(
      ({ name, articles }) => `- ${name} (${articles.join("; ")})`,
    );
    const names = [...families.keys()];
    const content =
      round === 0
        ? all.render({ products: lines.join("\n"), families: String(wanted) })
        : rest.render({ products: lines.join("\n"), families: names.join("; ") });
    const { value } = await askJson(
      model,
      {
        task: "wixqa.families",
        messages: [{ role: "user", content }],
        hints: { families: wanted, products: [...open.keys()].map((name) => ({ name })) },
      },
      reply,
    );
    open = place(value.families, families, open);
  }
  return {
    families: [...families].map(([name, inside]) => ({ name, products: inside })),
    unplaced: [...open.keys()],
  };
}

/** Moves products into their families and gives those that are left. */
function place(
  found: readonly { name: string; products: readonly string[] }[],
  families: Map<string, string[]>,
  open: ReadonlyMap<string, Product>,
): Map<string, Product> {
  const left = new Map(open);
  for (const { name, products } of found) {
    const family = name.replace(/\s+/g, " ").trim();
    const inside = products.filter((product) => left.delete(product));
    if (family === "" || inside.length === 0) {
      for (const product of inside) left.set(product, open.get(product)!);
      continue;
    }
    families.set(family, [...(families.get(family) ?? []), ...inside]);
  }
  return left;
}
