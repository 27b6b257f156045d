import { existsSync } from "node:fs";
import { stringify } from "yaml";
import { RitbenchError } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files.ts";
import { fingerprint } from "../../../core/fingerprint.ts";
import type { ChatModel } from "../../../core/model.ts";
import type { BuildManifest } from "../stage/manifest.ts";
import type { BuildRequest, BuildRun, BuildUnit } from "../stage/request.ts";
import { buildFolder, describeBuild } from "../stage/what.ts";
import { type Families, familyPrompts, groupProducts, type Product } from "./group.ts";

/** Families that the paper's model made of WixQA's products (appendix A). */
const PAPER_FAMILIES = 16;
const VERSION = 1;

/** The one unit of this build. */
export const FAMILIES_UNIT = "families";

/** Groups the products of a help center into families; write the result with {@link writeFamiliesFile}. */
export function familiesRequest(
  home: string,
  { products, model }: { products: readonly Product[]; model: ChatModel },
  run: BuildRun,
): BuildRequest<BuildUnit, Families> {
  const what = describeBuild({
    kind: "wixqa-families",
    corpus: fingerprint(products),
    model,
    prompts: familyPrompts,
    parameters: { version: VERSION, families: PAPER_FAMILIES },
  });
  const text = () => products.map(({ name }) => name).join("\n");
  return {
    ...run,
    folder: buildFolder(home, what),
    what,
    model,
    unit: "grouping",
    total: 1,
    units: () => [{ key: FAMILIES_UNIT, size: text().length, text }],
    async process(_, context) {
      const value = await groupProducts(products, PAPER_FAMILIES, context.model);
      return { value, records: value.families.length };
    },
  };
}

/**
 * Writes a grouping as the mapping file that the WixQA loader reads (`familiesFile`), to be looked over and edited.
 *
 * @param overwrite replace a file that is there; it may have been edited by hand
 * @throws RitbenchError E_FILE_EXISTS
 */
export function writeFamiliesFile(
  path: string,
  { families, unplaced }: Families,
  build: BuildManifest,
  { overwrite }: { overwrite: boolean },
): void {
  if (existsSync(path) && !overwrite) {
    throw new RitbenchError("E_FILE_EXISTS", "the file of product families is there already", {
      where: path,
      next: "choose another file, or overwrite this one with --force",
    });
  }
  const products = families.reduce((sum, family) => sum + family.products.length, 0);
  const head = [
    `# ${products} products in ${families.length} families, grouped by ${build.what.model.id} (build ${build.fingerprint}).`,
    "# Look it over and edit it; the order of the families is that of their trees.",
    ...(unplaced.length > 0
      ? [`# Not placed, and so in the loader's last family: ${unplaced.map(oneLine).join(", ")}`]
      : []),
  ];
  const mapping = Object.fromEntries(families.map(({ name, products }) => [name, products]));
  writeFileAtomic(
    path,
    `${head.join("\n")}\n${stringify({ families: mapping }, { lineWidth: 0 })}`,
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
