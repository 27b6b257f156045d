import { existsSync } from "node:fs";
import { join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import type { ModelRole } from "../../core/model.ts";
import { packageFile } from "../../core/package-file.ts";
import { loadCatalog, type ModelCatalog } from "../../models/catalog.ts";
import { capOf, createGateway, type Gateway } from "../../models/gateway.ts";
import { keyVariables } from "../../models/network/network.ts";
import { offlineProvider } from "../../models/offline/index.ts";
import { replayFactory } from "../../models/replay.ts";
import { scriptedProvider } from "../../models/scripted.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { homeFolder } from "../options.ts";
import { runsFolder } from "../run-folders.ts";

/** Keys from the environment; never printed, never stored. */
export function keysOf(io: Io): { [provider: string]: string } {
  return Object.fromEntries(
    Object.entries(keyVariables).flatMap(([provider, variable]) => {
      const key = io.env[variable];
      return key === undefined || key === "" ? [] : [[provider, key]];
    }),
  );
}

/** The shipped models file, then the user's own `models.yaml` in the home folder. */
export function openCatalog(io: Io): Promise<ModelCatalog> {
  const own = join(homeFolder(io), "models.yaml");
  return loadCatalog([packageFile("configs/models.yaml"), ...(existsSync(own) ? [own] : [])]);
}

export interface OpenGatewayOptions {
  catalog: ModelCatalog;
  limits: Pick<Config["limits"], "concurrency" | "maxRetries" | "maxRetryAfterSeconds"> & {
    maxCostUsd?: number | undefined;
    costRoles: readonly ModelRole[];
  };
  offline: boolean;
}

/** The gateway with all providers, the cache of the home folder and the limits of a config. */
export function openGateway(io: Io, { catalog, limits, offline }: OpenGatewayOptions): Gateway {
  const cacheFolder = join(homeFolder(io), "cache", "models");
  const replay = replayFactory({
    runFolder: (run) => join(runsFolder(io), run),
    cacheFolder,
    catalog,
  });
  const gateway = createGateway({
    catalog,
    keys: keysOf(io),
    cacheFolder,
    concurrency: limits.concurrency,
    retry: {
      maxRetries: limits.maxRetries,
      retryAfterCeilingMs: limits.maxRetryAfterSeconds * 1000,
    },
    caps: limits.maxCostUsd === undefined ? [] : [capOf(limits.maxCostUsd, limits.costRoles)],
    offline,
    providers: { offline: offlineProvider, scripted: scriptedProvider, replay },
  });
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await replay.close();
    },
  };
}

/**
 * Stops before any work where a model's key is not set.
 *
 * @throws RitbenchError E_KEY_MISSING naming the environment variables.
 */
export function requireKeys(gateway: Gateway, models: readonly string[]): void {
  const missing = gateway.missingKeys(models);
  if (missing.length === 0) return;
  const variables = missing.map(({ variable }) => variable).join(", ");
  throw new RitbenchError(
    "E_KEY_MISSING",
    `no API key for ${missing.map(({ provider }) => provider).join(", ")}`,
    {
      expected: `the environment variable ${variables}`,
      next: "set it, or use --model offline:extractive --judge offline:lexical to try without a key",
    },
  );
}
