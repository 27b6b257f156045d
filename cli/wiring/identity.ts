import type { Json } from "../../core/json.ts";
import type { Config } from "../config/schema.ts";
import { datasetEntries } from "./resources.ts";

/**
 * What changes answers: no limit, concurrency, cap, judge, folder or program version. `options`, `parameters` and
 * `sampling` have an entry per data set, method and model, so that a run can be extended by further ones.
 */
export function identityOf(config: Config): Json {
  return JSON.parse(
    JSON.stringify({
      embeddings: config.embeddings,
      retrieval: config.retrieval,
      metadata: config.metadata,
      builds: config.builds,
      buildModel: config.buildModel ?? null,
      options: Object.fromEntries(
        datasetEntries(config).map(({ name, options }) => [name, options]),
      ),
      parameters: Object.fromEntries(
        config.methods.map((name) => [name, config.parameters[name] ?? {}]),
      ),
      sampling: Object.fromEntries(config.models.map((id) => [id, config.sampling[id] ?? {}])),
    }),
  ) as Json;
}
