import {
  FAMILIES_UNIT,
  familiesRequest,
  productsIn,
  requireSoundBuild,
  runBuild,
  writeFamiliesFile,
} from "../../pipelines/builds/index.ts";
import type { RegisterCommand } from "../command.ts";
import { configSchema } from "../config/schema.ts";
import { exitCode } from "../io.ts";
import { fromCwd, homeFolder } from "../options.ts";
import { printJson } from "../output.ts";
import {
  addDataCommandOptions,
  type DataCommandOptions,
  loadForCommand,
} from "../wiring/data-command.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";

interface FamiliesOptions extends DataCommandOptions {
  model: string;
  out: string;
  force?: boolean;
}

/** `ritbench data families`: a model groups the products of a help centre into families, as a file to look over. */
export const addDataFamilies: RegisterCommand = (data, io, done) => {
  const command = data
    .command("families")
    .argument("[set]", "a help centre in WixQA's layout", "wixqa")
    .description(
      "Let a model group the products of a help centre into families, as a file to edit.",
    )
    .requiredOption("--model <id>", "model that groups, e.g. anthropic:claude-haiku-4-5")
    .requiredOption("--out <file>", "mapping file, e.g. families.yaml")
    .option("--force", "replace a file that is there")
    .addHelpText(
      "after",
      `
Example:
  ritbench data families wixqa --model anthropic:claude-haiku-4-5 --out families.yaml
Use it in a config: datasets: [{name: wixqa, options: {familiesFile: families.yaml}}]
`,
    );
  addDataCommandOptions(command).action(async (name: string, options: FamiliesOptions) => {
    const { limits } = configSchema.shape;
    const gateway = openGateway(io, {
      catalog: await openCatalog(io),
      limits: limits.parse({}),
      offline: false,
    });
    const { corpus } = await loadForCommand(io, name, options);
    try {
      requireKeys(gateway, [options.model]);
      const model = gateway.model({ id: options.model, role: "build", repeat: 0 });
      const request = { products: productsIn(corpus), model };
      const build = await runBuild(
        familiesRequest(homeFolder(io), request, { concurrency: 1, signal: io.signal }),
      );
      try {
        requireSoundBuild(build.manifest, { force: false });
        const families = build.get(FAMILIES_UNIT)!.value!;
        const path = fromCwd(io, options.out);
        writeFamiliesFile(path, families, build.manifest, { overwrite: options.force === true });
        const count = families.families.length;
        if (options.json === true) {
          printJson(io, "data-families", {
            rows: families.families,
            unplaced: families.unplaced,
            file: path,
            fingerprints: { build: build.manifest.fingerprint },
          });
        } else {
          io.out(
            `${request.products.length} products in ${count} families: ${path}\nLook it over, then use it as familiesFile.\n`,
          );
        }
      } finally {
        await build.close();
      }
    } finally {
      corpus.close();
      await gateway.close();
    }
    done(exitCode.ok);
  });
};
