import { RitbenchError } from "../core/errors.ts";
import type { ChatModel, ModelRole } from "../core/model.ts";
import { type Cap, createBudget, priceUnknown, type RoleSpend } from "./budget.ts";
import { openResponseCache, type ResponseCache } from "./cache/response-cache.ts";
import type { ModelCatalog, ResolvedModel } from "./catalog.ts";
import { boundModel } from "./chat-model.ts";
import { createFlights } from "./flights.ts";
import type { CacheReport, ModelSpec, Shared } from "./gateway-state.ts";
import { createLane, type Lane } from "./lane.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { keyVariables, networkProvider } from "./network/network.ts";
import type { Provider, ProviderFactory } from "./provider.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./retry.ts";
import { systemTime, type Time } from "./time.ts";

export interface GatewayOptions {
  /** Models, windows and prices: `loadCatalog(["configs/models.yaml", ...])`. */
  catalog: ModelCatalog;
  /** API keys by provider: `{ anthropic, openai, google, "openai-compatible" }`. */
  keys?: { readonly [provider: string]: string };
  /** Folder of the response cache; absent = no reply is stored or replayed. */
  cacheFolder?: string;
  /** Requests at once per provider, where the catalog does not say. */
  concurrency?: number;
  retry?: Partial<RetryPolicy>;
  /** Cost caps; each names the roles it covers. */
  caps?: readonly Cap[];
  /** True = nothing is sent; calls are answered from the cache or fail. */
  offline?: boolean;
  /** Providers by prefix, beside or instead of the built-in ones: `{ offline: makeOffline }`. */
  providers?: { readonly [prefix: string]: ProviderFactory };
  time?: Time;
}

export interface Gateway {
  /**
   * @throws RitbenchError E_MODEL_UNKNOWN for an id without a provider, E_MODEL_ENDPOINT, or
   * E_PRICE_UNKNOWN when a cap covers the role and nobody knows the model's price.
   */
  model(spec: ModelSpec): ChatModel;
  readonly ledger: Ledger;
  /** Counts money that the same run spent at earlier starts towards the caps. */
  addEarlierSpend(spend: RoleSpend): void;
  cacheReport(): CacheReport;
  /** The parts of a stored key; undefined without an entry. */
  explain: ResponseCache["explain"];
  /** API keys that these models would need for a call over the network. */
  missingKeys(ids: readonly string[]): { provider: string; variable: string }[];
  /** Requests in flight are abandoned by aborting their signals; this waits for cache writes. */
  close(): Promise<void>;
}

const defaultConcurrency = 16;

/** The one place where model calls are made. */
export function createGateway(options: GatewayOptions): Gateway {
  const { catalog, keys = {} } = options;
  const time = options.time ?? systemTime;
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const lanes = new Map<string, Lane>();
  const shared: Shared = {
    cache: options.cacheFolder === undefined ? undefined : openResponseCache(options.cacheFolder),
    flights: createFlights(),
    ledger: createLedger(),
    budget: createBudget(options.caps ?? []),
    policy,
    time,
    report: { hits: 0, misses: 0 },
    lane(provider) {
      const name = provider.identity
        ? `${provider.identity.provider} ${provider.identity.baseUrl}`
        : provider.id;
      const settings = catalog.providerSettings(provider.identity?.provider ?? "");
      const width = settings.concurrency ?? options.concurrency ?? defaultConcurrency;
      const lane = lanes.get(name) ?? createLane(width, time, policy.retryAfterCeilingMs);
      lanes.set(name, lane);
      return lane;
    },
  };

  // One provider per id, whatever the role: it holds the vendor's clients.
  const networked = new Map<string, { provider: Provider; resolved: ResolvedModel }>();

  const providerOf = (id: string): { provider: Provider; resolved?: ResolvedModel } => {
    const colon = id.indexOf(":");
    const factory = options.providers?.[id.slice(0, Math.max(0, colon))];
    if (factory !== undefined) return { provider: factory(id.slice(colon + 1)) };
    const known = networked.get(id);
    if (known !== undefined) return known;
    const resolved = catalog.resolve(id);
    const context = { keys, timeoutMs: policy.timeoutMs, offline: options.offline ?? false, time };
    const made = { provider: networkProvider(resolved, context), resolved };
    networked.set(id, made);
    return made;
  };

  return {
    ledger: shared.ledger,
    addEarlierSpend: shared.budget.addEarlier,
    model(spec) {
      const { provider, resolved } = providerOf(spec.id);
      const billed = provider.identity !== undefined;
      if (billed && resolved?.price === undefined && shared.budget.covers(spec.role)) {
        throw priceUnknown(provider.id, spec.role);
      }
      return boundModel(spec, provider, resolved, shared);
    },
    cacheReport: () => ({ ...shared.report }),
    explain: (id) => shared.cache?.explain(id),
    missingKeys(ids) {
      const needed = new Set<string>();
      for (const id of ids) {
        const colon = id.indexOf(":");
        if (options.providers?.[id.slice(0, Math.max(0, colon))] !== undefined) continue;
        const { provider } = catalog.resolve(id).identity;
        if (provider !== "openai-compatible" && keys[provider] === undefined) needed.add(provider);
      }
      return [...needed]
        .sort()
        .map((provider) => ({ provider, variable: keyVariables[provider] ?? "" }));
    },
    async close() {
      await shared.flights.settled();
      await shared.cache?.close();
    },
  };
}

/** Reads a cost cap from plain values, as a command line gives them. */
export function capOf(maxCostUsd: number, roles: readonly ModelRole[]): Cap {
  if (!(maxCostUsd > 0) || !Number.isFinite(maxCostUsd)) {
    throw new RitbenchError("E_CAP", "a cost cap must be a positive number of US dollars", {
      got: String(maxCostUsd),
    });
  }
  return { maxCostUsd, roles };
}
