/** Writes `configs/schema.json` from the schema that validates experiments: `npm run schema`. */
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "../cli/config/json-schema.ts";

writeFileSync(new URL("../configs/schema.json", import.meta.url), configJsonSchema());
