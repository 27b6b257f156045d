import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fingerprint } from "../../core/fingerprint.ts";
import type { ChatModel } from "../../core/model.ts";
import { noUsage } from "../../core/usage.ts";
import { runBuild } from "../../pipelines/builds/stage/run-build.ts";

/**
 * A build in a process of its own, for tests that kill it: 10 units of 3 calls each, every answered call noted in
 * `calls.txt`. With a third argument the process kills itself in place of that many-and-first call.
 */
const [folder = "", concurrency = "1", killAfter = ""] = process.argv.slice(2);
let calls = 0;
const model: ChatModel = {
  id: "worker",
  fingerprint: fingerprint("worker"),
  contextTokens: 1_000,
  offline: true,
  async call({ messages }) {
    const asked = messages[0]!.content;
    if (killAfter !== "" && calls === Number(killAfter)) process.kill(process.pid, "SIGKILL");
    calls++;
    if (concurrency !== "1") await sleep(5);
    appendFileSync(join(folder, "calls.txt"), `${asked}\n`);
    return {
      message: { role: "assistant", content: asked.toUpperCase() },
      stopReason: "stop",
      usage: { ...noUsage, outputTokens: 1 },
    };
  },
};
const units = Array.from({ length: 10 }, (_, i) => ({ key: `u${i}`, size: 1, text: () => "u" }));
const build = await runBuild({
  folder: join(folder, "build"),
  what: {
    kind: "worker",
    corpus: "c",
    model: { id: model.id, fingerprint: model.fingerprint },
    prompts: {},
    parameters: {},
  },
  model,
  units: () => units,
  total: units.length,
  unit: "unit",
  async process({ key }, context) {
    const said: string[] = [];
    for (const part of ["a", "b", "c"]) {
      const messages = [{ role: "user" as const, content: `${key}${part}` }];
      said.push((await context.model.call({ task: "t", messages })).message.content);
    }
    return { value: said, records: said.length };
  },
  concurrency: Number(concurrency),
  signal: new AbortController().signal,
});
await build.close();
