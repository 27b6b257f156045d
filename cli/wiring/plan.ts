import type { Json } from "../../core/json.ts";
import type { Gateway } from "../../models/gateway.ts";
import { planRun, type RunModel, type RunPlan } from "../../pipelines/run/plan.ts";
import type { Config } from "../config/schema.ts";
import { programVersion } from "../version.ts";
import type { Builder } from "./builds.ts";
import { identityOf } from "./identity.ts";
import { createMethods } from "./methods.ts";
import type { OpenedResources } from "./resources.ts";

export interface PlanRequest {
  config: Config;
  resources: OpenedResources;
  gateway: Gateway;
  builder: Builder;
  questionIds?: readonly string[] | undefined;
}

/** Which questions of which data sets are asked of which methods and models. */
export function planOf({ config, resources, gateway, builder, questionIds }: PlanRequest): RunPlan {
  return planRun({
    name: config.name,
    config: config as unknown as Json,
    identityConfig: identityOf(config),
    programVersion: programVersion(),
    datasets: resources.datasets.map(({ name, loaded, shared }) => ({
      name,
      shared,
      questions: loaded.questions,
      methods: createMethods(config),
      buildContext: (method) => builder.context(method, name, shared),
    })),
    models: runModels(config, gateway),
    repeats: config.repeats,
    ...(config.limits.questions === undefined ? {} : { limit: config.limits.questions }),
    ...(questionIds === undefined ? {} : { questionIds }),
  });
}

/** The generators of a config, one face per repeat. */
export function runModels(config: Config, gateway: Gateway): RunModel[] {
  return config.models.map((id) => {
    const { maxTokens, ...sampling } = config.sampling[id] ?? {};
    const forRepeat = (repeat: number) =>
      gateway.model({
        id,
        role: "answer",
        repeat,
        sampling: JSON.parse(JSON.stringify(sampling)),
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
    const { offline, fingerprint } = forRepeat(0);
    return { id, offline, fingerprint, forRepeat };
  });
}
