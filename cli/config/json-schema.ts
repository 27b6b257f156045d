import { z } from "zod";
import { configSchema } from "./schema.ts";

/** The experiment schema as JSON Schema, for editors: `configs/schema.json`. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
