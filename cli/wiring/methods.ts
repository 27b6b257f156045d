import type { z } from "zod";
import { agenticSearchConfig, createAgenticSearch } from "../../baselines/agentic-search/index.ts";
import { cogRagConfig, createCogRag } from "../../baselines/cog-rag/index.ts";
import { createHypergraphRag, hypergraphRagConfig } from "../../baselines/hypergraph-rag/index.ts";
import { createInteractRag, interactRagConfig } from "../../baselines/interact-rag/index.ts";
import { createPageIndex, pageIndexConfig } from "../../baselines/page-index/index.ts";
import { createVanilla, vanillaConfig } from "../../baselines/vanilla/index.ts";
import { nearMiss, RitbenchError } from "../../core/errors.ts";
import type { Method } from "../../core/method.ts";
import { createRitRag, ritRagConfig } from "../../methods/rit-rag/index.ts";
import { fieldError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";

interface MethodEntry {
  /** Schema of the method's parameters in a config. */
  parameters: z.ZodType;
  create(parameters: never): Method;
}

/** Every method, one line each. */
const registry: { readonly [name: string]: MethodEntry } = {
  "rit-rag": { parameters: ritRagConfig, create: createRitRag },
  vanilla: { parameters: vanillaConfig, create: createVanilla },
  "agentic-search": { parameters: agenticSearchConfig, create: createAgenticSearch },
  "interact-rag": { parameters: interactRagConfig, create: createInteractRag },
  "page-index": { parameters: pageIndexConfig, create: createPageIndex },
  "hypergraph-rag": { parameters: hypergraphRagConfig, create: createHypergraphRag },
  "cog-rag": { parameters: cogRagConfig, create: createCogRag },
};

export const methodNames: readonly string[] = Object.keys(registry);

/** Methods whose number of chunks `--k` sets. */
export const chunkMethods: readonly string[] = ["vanilla", "agentic-search", "interact-rag"];

/**
 * The methods of a config, made anew (one set per corpus).
 *
 * @throws RitbenchError E_METHOD_UNKNOWN, or E_CONFIG_FIELD for a parameter that the method does not have.
 */
export function createMethods(config: Pick<Config, "methods" | "parameters">): Method[] {
  for (const name of Object.keys(config.parameters)) entryOf(name, "parameters");
  return config.methods.map((name) => {
    const { parameters, create } = entryOf(name, "methods");
    const given = config.parameters[name] ?? {};
    const result = parameters.safeParse(given);
    if (!result.success) {
      const issue = result.error.issues[0]!;
      throw fieldError(issue, "the config", given, parameters, ["parameters", name]);
    }
    return create(result.data as never);
  });
}

function entryOf(name: string, where: string): MethodEntry {
  const entry = registry[name];
  if (entry !== undefined) return entry;
  const near = nearMiss(name, methodNames);
  throw new RitbenchError("E_METHOD_UNKNOWN", `no method is called ${JSON.stringify(name)}`, {
    where,
    expected: `one of ${methodNames.join(", ")}`,
    ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
  });
}
