import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { messageOf, nearMiss, RitbenchError } from "../core/errors.ts";
import type { ModelRole, Sampling } from "../core/model.ts";
import type { ProviderIdentity } from "./provider.ts";

const samplingSchema = z.strictObject({
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().positive().optional(),
  minP: z.number().min(0).max(1).optional(),
  reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
  seed: z.int().optional(),
});

const sourceSchema = { source: z.string().min(1), date: z.iso.date() };

const priceSchema = z.strictObject({
  inputUsdPerMTok: z.number().min(0),
  outputUsdPerMTok: z.number().min(0),
  ...sourceSchema,
  cached: z
    .strictObject({
      readUsdPerMTok: z.number().min(0),
      /** Absent where the vendor bills writes like other input. */
      writeUsdPerMTok: z.number().min(0).optional(),
      ...sourceSchema,
    })
    .optional(),
});

const settingsSchema = {
  sampling: samplingSchema.optional(),
  maxTokens: z.int().positive().optional(),
};

const modelSchema = z.strictObject({
  id: z.string().regex(/^[a-z-]+:.+$/, "expected <provider>:<model>"),
  aliases: z.array(z.string()).default([]),
  snapshot: z.string().optional(),
  baseUrl: z.url().optional(),
  contextTokens: z.int().positive(),
  ...settingsSchema,
  roles: z
    .partialRecord(z.enum(["answer", "build", "judge"]), z.strictObject(settingsSchema))
    .default({}),
  price: priceSchema.optional(),
});

const providerSchema = z.strictObject({
  baseUrl: z.url().optional(),
  concurrency: z.int().positive().optional(),
  maxTokens: z.int().positive().optional(),
  promptCaching: z.boolean().optional(),
});

const fileSchema = z.strictObject({
  schema: z.literal("ritbench.models/1"),
  unlistedContextTokens: z.int().positive().optional(),
  providers: z.record(z.string(), providerSchema).default({}),
  models: z.array(modelSchema).default([]),
});

/** US dollars per million tokens, with where and when they were read. */
export type Price = z.infer<typeof priceSchema>;
export type ModelEntry = z.infer<typeof modelSchema>;
export type ProviderSettings = z.infer<typeof providerSchema>;
/** A models file as written by its user. */
export type ModelsFile = z.infer<typeof fileSchema>;

/** What is known of a model once aliases, snapshot and base URL are settled. */
export interface ResolvedModel {
  /** Canonical id: alias replaced, base URL kept where the caller gave one. */
  id: string;
  identity: ProviderIdentity;
  contextTokens: number;
  provider: ProviderSettings;
  /** Defaults for a role: the model's own, overlaid by the role's. */
  defaults(role: ModelRole): { sampling: Sampling; maxTokens?: number };
  /** Undefined = unknown, never zero. */
  price: Price | undefined;
}

export interface ModelCatalog {
  /** @throws RitbenchError E_MODEL_UNKNOWN, E_MODEL_ENDPOINT (no base URL for a compatible server). */
  resolve(id: string): ResolvedModel;
  /** Price of a model id or alias, for hypothetical costs; undefined = unknown. */
  priceOf(id: string): Price | undefined;
  /** Settings of a provider; empty where the files say nothing. */
  providerSettings(provider: string): ProviderSettings;
  readonly entries: readonly ModelEntry[];
}

/** Where a vendor's own service lives; `openai-compatible` has none, its base URL is part of the id. */
export const vendorUrls: { readonly [provider: string]: string } = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com",
};

/** Providers that this room can call over the network. */
export const networkProviders: readonly string[] = [
  ...Object.keys(vendorUrls),
  "openai-compatible",
];

const fallbackContextTokens = 32_768;

/** Reads models files in order; a later file's entry replaces an earlier one with the same id. */
export async function loadCatalog(paths: readonly string[]): Promise<ModelCatalog> {
  return makeCatalog(await Promise.all(paths.map(readModelsFile)));
}

/** @throws RitbenchError E_MODELS_FILE naming file, path and fault. */
export async function readModelsFile(path: string): Promise<ModelsFile> {
  let raw: unknown;
  try {
    raw = parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new RitbenchError("E_MODELS_FILE", "the models file cannot be read", {
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
  return parseModelsFile(raw, path);
}

/** Validates a parsed models file; `where` names it in errors. */
export function parseModelsFile(raw: unknown, where: string): ModelsFile {
  const parsed = fileSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const at = issue.path.map(String).join(".");
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const near = unknownKey === undefined ? undefined : nearMiss(unknownKey, knownKeys);
  throw new RitbenchError("E_MODELS_FILE", issue.message, {
    where: at === "" ? where : `${where}, ${at}`,
    ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
  });
}

const knownKeys = [fileSchema, modelSchema, providerSchema, priceSchema, samplingSchema].flatMap(
  (schema) => Object.keys(schema.shape),
);

/** A catalog from files already read, later ones over earlier ones. */
export function makeCatalog(files: readonly ModelsFile[]): ModelCatalog {
  const byId = new Map<string, ModelEntry>();
  let providers: { [name: string]: ProviderSettings } = {};
  let unlisted = fallbackContextTokens;
  for (const file of files) {
    for (const entry of file.models) byId.set(entry.id, entry);
    for (const [name, settings] of Object.entries(file.providers)) {
      providers = { ...providers, [name]: { ...providers[name], ...settings } };
    }
    unlisted = file.unlistedContextTokens ?? unlisted;
  }
  const entries = [...byId.values()];
  const byName = new Map(entries.flatMap((e) => [e.id, ...e.aliases].map((name) => [name, e])));

  const split = (id: string) => {
    const at = id.search(/@https?:\/\//);
    const name = at < 0 ? id : id.slice(0, at);
    const url = at < 0 ? undefined : id.slice(at + 1);
    return { name, url, entry: byName.get(name) };
  };

  return {
    entries,
    priceOf: (id) => split(id).entry?.price,
    providerSettings: (provider) => providers[provider] ?? {},
    resolve(id) {
      const { name, url, entry } = split(id);
      const canonical = entry?.id ?? name;
      const provider = canonical.slice(0, Math.max(0, canonical.indexOf(":")));
      if (!networkProviders.includes(provider)) throw unknownModel(id, byName.keys());
      const settings = providers[provider] ?? {};
      const baseUrl = url ?? entry?.baseUrl ?? settings.baseUrl ?? vendorUrls[provider];
      if (baseUrl === undefined) {
        throw new RitbenchError("E_MODEL_ENDPOINT", `${id} has no base URL`, {
          expected: "an address after the model's name, or baseUrl in the models file",
          next: `write ${canonical}@http://localhost:11434/v1 (Ollama) or where your server listens`,
        });
      }
      return {
        id: url === undefined ? canonical : `${canonical}@${url}`,
        identity: {
          provider,
          model: entry?.snapshot ?? canonical.slice(provider.length + 1),
          baseUrl: baseUrl.replace(/\/+$/, ""),
        },
        contextTokens: entry?.contextTokens ?? unlisted,
        provider: settings,
        defaults: (role) => defaultsFor(entry, settings, role),
        price: entry?.price,
      };
    },
  };
}

function defaultsFor(
  entry: ModelEntry | undefined,
  settings: ProviderSettings,
  role: ModelRole,
): { sampling: Sampling; maxTokens?: number } {
  const own = entry?.roles[role];
  const maxTokens = own?.maxTokens ?? entry?.maxTokens ?? settings.maxTokens;
  return {
    sampling: dropUndefined({ ...entry?.sampling, ...own?.sampling }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Zod's optional fields allow undefined; `Sampling` does not. */
function dropUndefined(sampling: z.infer<typeof samplingSchema>): Sampling {
  return Object.fromEntries(
    Object.entries(sampling).filter(([, value]) => value !== undefined),
  ) as Sampling;
}

function unknownModel(id: string, names: Iterable<string>): RitbenchError {
  const near = nearMiss(id, names);
  return new RitbenchError("E_MODEL_UNKNOWN", `no provider serves ${id}`, {
    expected: `an alias of the models file, or <provider>:<model> with one of ${networkProviders.join(", ")}`,
    ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
  });
}
