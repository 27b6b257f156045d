import { isObject, textField } from "../conversation.ts";
import type { OfflineTask } from "../task.ts";
import { contentWords } from "../words.ts";

/** `wixqa.families`: products that share the word which most of them have are a family, the largest first. */
export const wixqaFamilies: OfflineTask = ({ hints }) => {
  const products = (Array.isArray(hints?.products) ? hints.products : [])
    .filter(isObject)
    .map((product) => textField(product, "name"));
  const most = Number(hints?.families ?? 1);
  const families: { name: string; products: string[] }[] = [];
  // A word of most products (the vendor's name) tells none apart.
  const counts = countWords(products);
  const idle = new Set([...counts].flatMap(([word, n]) => (n > products.length / 2 ? [word] : [])));
  let open = products;
  while (open.length > 0 && families.length < most - 1) {
    const word = commonest(open, idle);
    if (word === undefined) break;
    const inside = open.filter((product) => wordsOf(product).includes(word));
    families.push({ name: word, products: inside });
    open = open.filter((product) => !inside.includes(product));
  }
  if (open.length > 0) families.push({ name: "Other", products: open });
  return { content: JSON.stringify({ families }) };
};

/** The word of most products, two at least; of equals the one that comes first. */
function commonest(products: readonly string[], idle: ReadonlySet<string>): string | undefined {
  const telling = [...countWords(products)].filter(([word, n]) => n >= 2 && !idle.has(word));
  return telling.sort(([, a], [, b]) => b - a)[0]?.[0];
}

function countWords(products: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const product of products) {
    for (const word of wordsOf(product)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function wordsOf(product: string): string[] {
  return [...new Set(contentWords(product).map((word) => word[0]!.toUpperCase() + word.slice(1)))];
}
