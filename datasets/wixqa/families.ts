import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { parseRecord } from "../parsing/jsonl.ts";
import { type FamilyRule, familyRules, OTHER_FAMILY } from "./family-rules.ts";
import { urlSlug } from "./products.ts";

/** Tells the family of an article by its product and address. */
export interface FamilyMap {
  /** Families in the order in which their trees stand. */
  readonly names: readonly string[];
  familyOf(product: string, url: string): string;
  /** A sentence for the corpus's notes. */
  readonly origin: string;
}

const familiesFile = z.object({ families: z.record(z.string(), z.array(z.string())) });

/**
 * Families from a YAML file, `families: {<family>: [<product>, ...]}`; products it does not list go to one more
 * family at the end.
 *
 * @throws RitbenchError E_DATA_FORMAT for a file of another shape or one that puts a product into two families.
 */
export async function readFamilies(path: string): Promise<FamilyMap> {
  let content: unknown;
  try {
    content = parse(await readFile(path, "utf8"));
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new RitbenchError(
      absent ? "E_DATA_MISSING" : "E_DATA_FORMAT",
      "the file of product families cannot be read",
      { where: path, got: messageOf(cause), cause },
    );
  }
  const { families } = parseRecord(familiesFile, content, path);
  const byProduct = new Map<string, string>();
  for (const [family, products] of Object.entries(families)) {
    for (const product of products) {
      const other = byProduct.get(product);
      if (other !== undefined && other !== family) {
        throw new RitbenchError("E_DATA_FORMAT", `${product} stands in two families`, {
          where: path,
          got: `${other} and ${family}`,
          next: "leave it in one of them",
        });
      }
      byProduct.set(product, family);
    }
  }
  return {
    names: [...new Set([...Object.keys(families), OTHER_FAMILY])],
    familyOf: (product) => byProduct.get(product) ?? OTHER_FAMILY,
    origin: "Families are those of the mapping file.",
  };
}

/** Families by the words of the product's name, then of the article's address. */
export function familiesByRule(): FamilyMap {
  return {
    names: [...familyRules.map((rule) => rule.family), OTHER_FAMILY],
    familyOf: (product, url) => byWords(product) ?? byWords(urlSlug(url)) ?? OTHER_FAMILY,
    origin: "Families are those of the word rule, not of a model.",
  };
}

function byWords(name: string): string | undefined {
  const words = ` ${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  const matches = (rule: FamilyRule) => rule.words.some((word) => words.includes(` ${word} `));
  return familyRules.find(matches)?.family;
}
