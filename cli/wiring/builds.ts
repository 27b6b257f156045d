import { join } from "node:path";
import { fingerprint } from "../../core/fingerprint.ts";
import type { BuildContext, Method, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Gateway } from "../../models/gateway.ts";
import { integer } from "../../reports/table/format.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { homeFolder } from "../options.ts";
import { progressLine } from "../progress.ts";

/** The model that builds are made with, as a config names it. */
export function buildModelOf(
  config: Pick<Config, "buildModel" | "models" | "sampling">,
  gateway: Gateway,
): ChatModel {
  const id = config.buildModel ?? config.models[0]!;
  const { maxTokens, ...sampling } = config.sampling[id] ?? {};
  return gateway.model({
    id,
    role: "build",
    repeat: 0,
    sampling: JSON.parse(JSON.stringify(sampling)),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
}

/** What a method's build gets over one data set; the folder is that of the artefact, whatever run asks for it. */
export function buildContextOf(
  io: Io,
  { dataset, shared, model }: { dataset: string; shared: SharedResources; model: ChatModel },
  concurrency: number,
): (method: Method) => BuildContext {
  return (method) => {
    const artefact = fingerprint({
      method: method.name,
      build: method.buildFingerprint?.(shared) ?? method.fingerprint,
      corpus: shared.corpus.summary.hash,
      model: model.fingerprint,
    });
    const line = progressLine(io);
    return {
      ...shared,
      model,
      folder: join(homeFolder(io), "builds", artefact),
      signal: io.signal,
      concurrency,
      progress(done, total, unit) {
        line.update(`${dataset}: ${method.title} ${unit} ${integer(done)}/${integer(total)}`);
        if (done >= total) line.finish();
      },
    };
  };
}
