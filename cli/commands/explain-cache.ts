import { join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { openResponseCache } from "../../models/cache/response-cache.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { homeFolder } from "../options.ts";
import { printJson } from "../output.ts";

/** `ritbench explain-cache <key>`: what a stored reply depends on; a run names the key of its first miss. */
export const explainCacheCommand: RegisterCommand = (program, io, done) => {
  program
    .command("explain-cache")
    .argument("<key>", "key of a model call, as a run names the one of its first cache miss")
    .description("Print the parts of a response cache key: what a stored reply depends on.")
    .addHelpText("after", "\nExample:\n  ritbench explain-cache 3f2a...\n")
    .action(async (key: string) => {
      const folder = join(homeFolder(io), "cache", "models");
      const cache = openResponseCache(folder);
      try {
        const parts = cache.explain(key);
        if (parts === undefined) {
          throw new RitbenchError("E_CACHE_MISSING", "no reply is stored under this key", {
            where: folder,
            got: key,
            next: "give the whole key, as the run printed it; errors and refusals are never stored",
          });
        }
        printJson(io, "explain-cache", { key, rows: [parts], fingerprints: {} });
      } finally {
        await cache.close();
      }
      done(exitCode.ok);
    });
};
