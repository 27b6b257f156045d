import { processIo } from "./process-io.ts";
import { runCli } from "./program.ts";

const { io, finish } = processIo();
finish(await runCli(process.argv.slice(2), io));
