import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One request as it came over the wire. */
export interface WireCall {
  api: LoopbackApi;
  method: string;
  path: string;
  headers: { readonly [name: string]: string | string[] | undefined };
  // biome-ignore lint/suspicious/noExplicitAny: three vendors' request bodies, looked into by tests
  body: any;
  /** When it arrived, `performance.now()`. */
  atMs: number;
  /** True once the client went away before the reply was complete. */
  readonly abandoned: boolean;
}

export type LoopbackApi = "anthropic" | "openai" | "google" | "embeddings" | "other";

export interface WireUsage {
  /** Prompt tokens that were neither read from nor written to the vendor's prompt cache. */
  uncached?: number;
  cacheRead?: number;
  cacheWrite?: number;
  /** Reply tokens without reasoning. */
  output?: number;
  reasoning?: number;
}

/** What the server does with a call: a reply in the words of whichever vendor asked, or a fault. */
export type Script =
  | {
      text?: string;
      /** `arguments` as a value, or as text that goes out as it is (broken JSON). */
      toolCalls?: readonly { id?: string; name: string; arguments: unknown; signature?: string }[];
      /** `malformed`: Gemini breaking off a tool call; a plain stop elsewhere. */
      stop?: "stop" | "length" | "refusal" | "malformed";
      usage?: WireUsage;
      /** Anthropic thinking, with its signature. */
      thinking?: { text: string; signature: string };
      delayMs?: number;
      model?: string;
    }
  | {
      status: number;
      message?: string;
      code?: string;
      headers?: { readonly [name: string]: string };
      /** Google's wait, in the error's details. */
      retryDelay?: string;
      delayMs?: number;
    }
  | { fault: "reset" | "hang" | "truncated" | "not-json" | "empty-object" };

export interface LoopbackModels {
  /** `http://127.0.0.1:<port>`; Anthropic and Google take it as it is. */
  readonly url: string;
  /** Base URL for OpenAI and compatible clients. */
  readonly openaiUrl: string;
  /** Calls in the order they arrived. */
  readonly calls: readonly WireCall[];
  /** Scripts for the next calls, in order; then the fallback serves. */
  next(...scripts: readonly Script[]): void;
  /** Answers every call that no script is left for. */
  answer(fallback: (call: WireCall) => Script): void;
  close(): Promise<void>;
}

const embeddingDimensions = 8;

/**
 * A server on the loopback interface that speaks the wire formats of Anthropic (`/v1/messages`),
 * OpenAI (`/v1/chat/completions`, `/v1/embeddings`) and Google (`generateContent`,
 * `streamGenerateContent`), and fails on demand.
 *
 * @example
 * const server = await startLoopbackModels();
 * server.next({ status: 429, headers: { "retry-after": "1" } }, { text: "42" });
 */
export async function startLoopbackModels(port = 0): Promise<LoopbackModels> {
  const calls: WireCall[] = [];
  const queue: Script[] = [];
  const sockets = new Set<Socket>();
  let fallback: (call: WireCall) => Script = () => ({ text: "ok" });

  const server: Server = createServer((request, response) => {
    void handle(request, response).catch((error) => response.destroy(error));
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await bodyOf(request);
    let done = false;
    let abandoned = false;
    response.on("close", () => {
      abandoned = !done;
    });
    const call: WireCall = {
      api: apiOf(request.url ?? ""),
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      atMs: performance.now(),
      get abandoned() {
        return abandoned;
      },
    };
    calls.push(call);
    const script = queue.shift() ?? fallback(call);
    await play(script, call, response);
    done = !("fault" in script);
  };
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    openaiUrl: `${url}/v1`,
    calls,
    next: (...scripts) => {
      queue.push(...scripts);
    },
    answer: (make) => {
      fallback = make;
    },
    close: () =>
      new Promise((resolve, reject) => {
        for (const socket of sockets) socket.destroy();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

function apiOf(path: string): LoopbackApi {
  if (path.includes("/messages")) return "anthropic";
  if (path.includes("/chat/completions")) return "openai";
  if (path.includes("/embeddings")) return "embeddings";
  if (/:(generateContent|streamGenerateContent)/.test(path)) return "google";
  return "other";
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

async function play(script: Script, call: WireCall, response: ServerResponse): Promise<void> {
  if ("fault" in script) return fail(script.fault, call, response);
  if (script.delayMs !== undefined) await new Promise((go) => setTimeout(go, script.delayMs));
  if ("status" in script) {
    return send(response, script.status, errorBody(call.api, script), script.headers);
  }
  if (call.api === "embeddings") return send(response, 200, embeddings(call.body));
  if (call.api === "other") return send(response, 404, { error: { message: "no such path" } });
  const body = replyBody(call, script);
  if (!call.path.includes(":streamGenerateContent")) return send(response, 200, body);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(body)}\r\n\r\n`);
}

function fail(
  fault: "reset" | "hang" | "truncated" | "not-json" | "empty-object",
  call: WireCall,
  response: ServerResponse,
): void {
  const body = JSON.stringify(replyBody(call, { text: "cut" }));
  switch (fault) {
    case "hang":
      return;
    case "reset":
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": body.length,
      });
      response.write(body.slice(0, 10));
      response.socket?.resetAndDestroy();
      return;
    case "truncated":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(body.slice(0, body.length / 2));
      return;
    case "not-json":
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>bad gateway</html>");
      return;
    case "empty-object":
      send(response, 200, {});
      return;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

type Failure = Extract<Script, { status: number }>;
type Reply = Exclude<Script, Failure | { fault: string }>;

function errorBody(api: LoopbackApi, { status, message, code, retryDelay }: Failure): unknown {
  const text = message ?? `loopback error ${status}`;
  if (api === "anthropic") {
    return { type: "error", error: { type: code ?? "api_error", message: text } };
  }
  if (api === "google") {
    const details =
      retryDelay === undefined
        ? []
        : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }];
    return { error: { code: status, message: text, status: code ?? "UNKNOWN", details } };
  }
  return { error: { message: text, type: code ?? "error", param: null, code: code ?? null } };
}

function replyBody(call: WireCall, reply: Reply): unknown {
  if (call.api === "anthropic") return anthropicReply(call, reply);
  if (call.api === "google") return googleReply(call, reply);
  return openaiReply(call, reply);
}

/** Counts when the script gives none: a token per four characters of what was said. */
function usageOf(call: WireCall, { usage, text, toolCalls }: Reply): Required<WireUsage> {
  return {
    uncached: usage?.uncached ?? Math.ceil(JSON.stringify(call.body ?? "").length / 4),
    cacheRead: usage?.cacheRead ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    output:
      usage?.output ??
      Math.ceil(((text ?? "").length + JSON.stringify(toolCalls ?? []).length) / 4),
    reasoning: usage?.reasoning ?? 0,
  };
}

function anthropicReply(call: WireCall, reply: Reply): unknown {
  const usage = usageOf(call, reply);
  const reason = {
    stop: "end_turn",
    length: "max_tokens",
    refusal: "refusal",
    malformed: "end_turn",
  };
  const calls = reply.toolCalls ?? [];
  return {
    id: `msg_loopback_${call.atMs}`,
    type: "message",
    role: "assistant",
    model: reply.model ?? call.body.model,
    content: [
      ...(reply.thinking === undefined
        ? []
        : [
            {
              type: "thinking",
              thinking: reply.thinking.text,
              signature: reply.thinking.signature,
            },
          ]),
      ...(reply.text === undefined ? [] : [{ type: "text", text: reply.text }]),
      ...calls.map(({ id, name, arguments: input }, i) => ({
        type: "tool_use",
        id: id ?? `toolu_${i}`,
        name,
        input,
      })),
    ],
    stop_reason: reply.stop ? reason[reply.stop] : calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: usage.uncached,
      cache_creation_input_tokens: usage.cacheWrite,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation: {
        ephemeral_5m_input_tokens: usage.cacheWrite,
        ephemeral_1h_input_tokens: 0,
      },
      output_tokens: usage.output + usage.reasoning,
      service_tier: "standard",
    },
  };
}

function openaiReply(call: WireCall, reply: Reply): unknown {
  const usage = usageOf(call, reply);
  const prompt = usage.uncached + usage.cacheRead + usage.cacheWrite;
  const completion = usage.output + usage.reasoning;
  const calls = reply.toolCalls ?? [];
  const refused = reply.stop === "refusal";
  const reason = { stop: "stop", length: "length", refusal: "stop", malformed: "stop" };
  return {
    // Clients merge messages that share an id.
    id: `chatcmpl-loopback-${call.atMs}`,
    object: "chat.completion",
    created: 1_760_000_000,
    model: reply.model ?? call.body.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: refused ? null : (reply.text ?? null),
          refusal: refused ? (reply.text ?? "I cannot help with that.") : null,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ id, name, arguments: args }, i) => ({
                  id: id ?? `call_${i}`,
                  type: "function",
                  function: {
                    name,
                    arguments: typeof args === "string" ? args : JSON.stringify(args),
                  },
                })),
              }),
        },
        logprobs: null,
        finish_reason: reply.stop ? reason[reply.stop] : calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
    },
    system_fingerprint: "fp_loopback",
  };
}

function googleReply(call: WireCall, reply: Reply): unknown {
  const usage = usageOf(call, reply);
  const prompt = usage.uncached + usage.cacheRead + usage.cacheWrite;
  const reason = {
    stop: "STOP",
    length: "MAX_TOKENS",
    refusal: "SAFETY",
    malformed: "MALFORMED_FUNCTION_CALL",
  };
  const parts = [
    ...(reply.text === undefined ? [] : [{ text: reply.text }]),
    ...(reply.toolCalls ?? []).map(({ name, arguments: args, signature }) => ({
      functionCall: { name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    })),
  ];
  return {
    candidates: [
      {
        ...(parts.length === 0 ? {} : { content: { role: "model", parts } }),
        finishReason: reason[reply.stop ?? "stop"],
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: usage.output,
      totalTokenCount: prompt + usage.output + usage.reasoning,
      ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
      ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    },
    modelVersion: reply.model ?? /models\/([^:]+):/.exec(call.path)?.[1],
    responseId: "loopback",
  };
}

/** Vectors that depend on the text alone; base64 where the client asks for it, as OpenAI's does. */
function embeddings(body: { input: string | string[]; model: string; encoding_format?: string }) {
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  return {
    object: "list",
    model: body.model,
    data: inputs.map((text, index) => {
      const vector = Float32Array.from({ length: embeddingDimensions }, (_, i) =>
        Math.sin([...text].reduce((sum, c) => sum + (c.codePointAt(0) ?? 0) * (i + 1), i)),
      );
      const embedding =
        body.encoding_format === "base64"
          ? Buffer.from(vector.buffer).toString("base64")
          : [...vector];
      return { object: "embedding", index, embedding };
    }),
    usage: {
      prompt_tokens: inputs.reduce((n, text) => n + Math.ceil(text.length / 4), 0),
      total_tokens: inputs.reduce((n, text) => n + Math.ceil(text.length / 4), 0),
    },
  };
}
