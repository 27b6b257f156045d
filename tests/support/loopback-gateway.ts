import { onTestFinished } from "vitest";
import { type ModelsFile, makeCatalog, parseModelsFile } from "../../models/catalog.ts";
import { createGateway, type Gateway, type GatewayOptions } from "../../models/gateway.ts";
import { type LoopbackModels, startLoopbackModels } from "./loopback-models.ts";

/** API keys no vendor knows; tests look for them where no key may be. */
export const loopbackKeys = {
  anthropic: "sk-ant-loopback-SECRET",
  openai: "sk-loopback-SECRET",
  google: "AIza-loopback-SECRET",
  "openai-compatible": "compatible-loopback-SECRET",
};

/** The vendors' models with round prices, all of them served by a loopback server. */
export function loopbackCatalogFile(server: LoopbackModels): ModelsFile {
  const price = {
    inputUsdPerMTok: 1,
    outputUsdPerMTok: 10,
    source: "invented",
    date: "2026-01-01",
  };
  const models = ["anthropic:claude-test", "openai:gpt-test", "google:gemini-test"].map((id) => ({
    id,
    contextTokens: 100_000,
    price,
  }));
  return parseModelsFile(
    {
      schema: "ritbench.models/1",
      providers: {
        anthropic: { baseUrl: server.url, maxTokens: 1000 },
        openai: { baseUrl: server.openaiUrl },
        google: { baseUrl: server.url },
      },
      models,
    },
    "loopback",
  );
}

/** A gateway whose vendors are one loopback server; both close when the test ends. */
export async function loopbackGateway(
  options: Omit<Partial<GatewayOptions>, "catalog"> = {},
): Promise<{ server: LoopbackModels; gateway: Gateway; reopen(): Gateway }> {
  const server = await startLoopbackModels();
  const catalog = makeCatalog([loopbackCatalogFile(server)]);
  const open = () => {
    const gateway = createGateway({
      catalog,
      keys: loopbackKeys,
      ...options,
      retry: { backoffMs: 5, timeoutMs: 5_000, ...options.retry },
    });
    onTestFinished(() => gateway.close());
    return gateway;
  };
  onTestFinished(() => server.close());
  return { server, gateway: open(), reopen: open };
}
