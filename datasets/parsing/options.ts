import { z } from "zod";
import { nearMiss, RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";

/**
 * A data set's options as its config gives them, checked, with defaults filled in.
 *
 * @throws RitbenchError E_OPTION for an unknown name (with the nearest known one) or a value that does not fit.
 */
export function readOptions<Shape extends z.ZodRawShape>(
  dataset: string,
  shape: Shape,
  options: { readonly [key: string]: Json },
): z.infer<z.ZodObject<Shape>> {
  const names = Object.keys(shape);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearMiss(unknown, names);
    throw new RitbenchError("E_OPTION", `${dataset} has no option ${unknown}`, {
      where: `options.${unknown} of ${dataset}`,
      expected: `one of ${names.join(", ")}`,
      ...(near !== undefined && { next: `did you mean ${near}?` }),
    });
  }
  const result = z.object(shape).safeParse(options);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const name = issue.path.join(".");
  throw new RitbenchError("E_OPTION", `an option of ${dataset} does not fit`, {
    where: `options.${name} of ${dataset}`,
    expected: issue.message,
    got: JSON.stringify(options[String(issue.path[0])]) ?? "nothing",
  });
}
