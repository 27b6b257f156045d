import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { RitbenchError } from "../../core/errors.ts";
import { MEASURES } from "../compare/measures.ts";

const share = z.number().min(0).max(1);

const gateSchema = z.strictObject({
  schema: z.literal("ritbench.gate/1"),
  level: z
    .number()
    .min(0.001)
    .max(0.5)
    .default(0.05)
    .describe("Chance of a false alarm, over all checks of a kind (Holm)."),
  minQuestions: z.int().min(1).default(20).describe("Fewer shared questions decide nothing."),
  accuracy: z
    .strictObject({ allowedLossPoints: z.number().min(0).max(100) })
    .optional()
    .describe("Largest loss of accuracy that may pass, in points."),
  measures: z
    .record(
      z.string(),
      z.strictObject({
        allowedWorsening: z
          .number()
          .min(0)
          .describe("Relative to the base: 0.1 = a tenth dearer, slower or lower."),
      }),
    )
    .default({}),
  errors: z
    .strictObject({
      maxNewShare: share.default(0).describe("Questions that broke now and not before."),
      maxUnscoredShare: share.default(0.05).describe("Questions without a verdict now."),
    })
    .prefault({}),
});

/** What a nightly run may lose. */
export type GateRules = z.infer<typeof gateSchema>;

/**
 * Reads a gate file.
 *
 * @throws RitbenchError E_GATE_FILE with the field that does not fit.
 */
export function readGate(path: string): GateRules {
  let value: unknown;
  try {
    value = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new RitbenchError("E_GATE_FILE", "the gate file cannot be read", {
      where: path,
      got: (error as Error).message.split("\n")[0] ?? "",
      next: "start from configs/gates/nightly.yaml",
    });
  }
  return parseGate(value, path);
}

/** {@link readGate} from a value already read. */
export function parseGate(value: unknown, where: string): GateRules {
  const result = gateSchema.safeParse(value);
  const fault = result.error?.issues[0];
  if (!result.success) {
    throw new RitbenchError("E_GATE_FILE", "the gate file is not valid", {
      where: `${where}: ${fault?.path.join(".") || "the file"}`,
      expected: fault?.message ?? "a gate",
      next: "see configs/gates/nightly.yaml",
    });
  }
  const comparable = MEASURES.filter(({ higherIsBetter }) => higherIsBetter !== null);
  const unknown = Object.keys(result.data.measures).find(
    (name) => !comparable.some((measure) => measure.name === name),
  );
  if (unknown !== undefined) {
    throw new RitbenchError("E_GATE_FILE", `no measure is called ${unknown}`, {
      where: `${where}: measures.${unknown}`,
      expected: `one of ${comparable.map(({ name }) => name).join(", ")}`,
    });
  }
  return result.data;
}
