// A process of its own that stores replies: cache-writer.ts <folder> <name> <count>.
import { noUsage } from "../../core/usage.ts";
import { cacheKey } from "../../models/cache/key.ts";
import { openResponseCache } from "../../models/cache/response-cache.ts";

const [folder, name, count] = process.argv.slice(2);
const cache = openResponseCache(folder!);
for (let i = 0; i < Number(count); i++) {
  const identity = { provider: "openai", model: "gpt", baseUrl: "https://a/v1" };
  const key = cacheKey(identity, {
    task: "t",
    role: "answer",
    repeat: 0,
    messages: [
      { role: "system", content: "S" },
      { role: "user", content: `${name}${i}` },
    ],
  });
  await cache.put(key, {
    message: { role: "assistant", content: `reply ${name}${i}` },
    stopReason: "stop",
    usage: noUsage,
    storedAt: "2026-01-01T00:00:00.000Z",
  });
}
await cache.close();
