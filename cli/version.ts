import { readFileSync } from "node:fs";
import { packageFile } from "../core/package-file.ts";

/** Version of the installed package. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as { version: string })
    .version;
}
