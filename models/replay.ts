import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, RitbenchError } from "../core/errors.ts";
import type { Fingerprint } from "../core/fingerprint.ts";
import { ModelError } from "../core/model-error.ts";
import { cacheKey } from "./cache/key.ts";
import { openResponseCache, type ResponseCache } from "./cache/response-cache.ts";
import type { ModelCatalog } from "./catalog.ts";
import { replayedReply } from "./chat-model.ts";
import type { Provider, ProviderFactory, ProviderRequest } from "./provider.ts";

export interface ReplayOptions {
  /** Folder of a run by its id: `(run) => join(home, "runs", run)`. */
  runFolder(run: string): string;
  cacheFolder: string;
  /** The catalog the run was made with: its defaults are part of the keys. */
  catalog: ModelCatalog;
}

const manifestSchema = z.object({
  models: z.array(z.object({ id: z.string(), offline: z.boolean(), fingerprint: z.string() })),
  judges: z.array(z.object({ model: z.string().optional() }).loose()).default([]),
});

/**
 * `replay:<run>`: answers from the response cache alone what a finished run asked of its model, or
 * of the one named in `replay:<run>/<model id>` (a run with several models, or its judge model).
 * Nothing is sent; a call that the run did not make is an error that names it.
 *
 * @throws RitbenchError E_REPLAY for a run that cannot be replayed.
 */
export function replayFactory(
  options: ReplayOptions,
): ProviderFactory & { close(): Promise<void> } {
  let cache: ResponseCache | undefined;
  const factory = (name: string): Provider => {
    const slash = name.indexOf("/");
    const run = slash < 0 ? name : name.slice(0, slash);
    const wanted = slash < 0 ? undefined : name.slice(slash + 1);
    const { id, fingerprint } = recordedModel(run, wanted, options.runFolder(run));
    const model = options.catalog.resolve(id);
    cache ??= openResponseCache(options.cacheFolder);
    const open = cache;
    return {
      id,
      contextTokens: model.contextTokens,
      offline: false,
      ...(fingerprint === undefined ? {} : { fingerprint: fingerprint as Fingerprint }),
      async send(request) {
        const defaults = model.defaults(request.role);
        const maxTokens = request.maxTokens ?? defaults.maxTokens;
        const key = cacheKey(model.identity, {
          ...request,
          sampling: { ...defaults.sampling, ...request.sampling },
          ...(maxTokens === undefined ? {} : { maxTokens }),
        });
        const stored = open.get(key.id);
        if (stored === undefined) throw missing(run, request, open.whyMissing(key));
        const { usage, ...reply } = replayedReply(stored);
        return { ...reply, usage, recorded: usage };
      },
    };
  };
  return Object.assign(factory, {
    close: async () => {
      await cache?.close();
    },
  });
}

function recordedModel(
  run: string,
  wanted: string | undefined,
  folder: string,
): { id: string; fingerprint?: string } {
  const path = join(folder, "manifest.json");
  let manifest: z.infer<typeof manifestSchema>;
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new RitbenchError("E_REPLAY", `the run ${run} cannot be replayed: no readable manifest`, {
      where: path,
      got: messageOf(error),
      next: "`ritbench runs` lists the runs that are there",
      cause: error,
    });
  }
  const online = manifest.models.filter((model) => !model.offline);
  const judges = manifest.judges.flatMap(({ model }) => (model === undefined ? [] : [model]));
  const chosen = wanted === undefined ? online : online.filter((model) => model.id === wanted);
  if (chosen.length === 1) return chosen[0]!;
  if (wanted !== undefined && judges.includes(wanted)) return { id: wanted };
  const names = [...new Set([...online.map((model) => model.id), ...judges])];
  throw new RitbenchError("E_REPLAY", `the run ${run} has no single model to replay`, {
    where: path,
    expected: `replay:${run}/<model id> with a model that was called over the network`,
    got: names.length === 0 ? "offline models only, which need no replay" : names.join(", "),
  });
}

function missing(run: string, request: ProviderRequest, reason: string): ModelError {
  const question = request.messages.find((m) => m.role === "user")?.content ?? "";
  return new ModelError(
    "missing_reply",
    `the run ${run} holds no reply for this ${request.task} call (repeat ${request.repeat})`,
    {
      where: `replay:${run}`,
      expected: "the same prompts, settings and repeat as in the run",
      got: `${reason}; the call begins "${question.slice(0, 120).replace(/\s+/g, " ")}"`,
    },
  );
}
