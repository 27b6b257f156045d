import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { Json } from "../../core/json.ts";
import type {
  ChatModel,
  ModelReply,
  ModelRequest,
  StopReason,
  ToolCall,
} from "../../core/model.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import { historyFault } from "./valid-history.ts";

/** What the model says in one turn. Tool calls get the ids `t<turn>-<position>` unless they bring their own. */
export interface ScriptedReply {
  content?: string;
  toolCalls?: readonly {
    name: string;
    arguments?: Json;
    invalid?: string;
    id?: string;
  }[];
  stopReason?: StopReason;
  usage?: Partial<Usage>;
  /** Opaque provider content of the assistant message. */
  provider?: Json;
  /** Thrown instead of a reply. */
  error?: Error;
}

/** One reply per call, or a rule that makes them. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ModelRequest, turn: number) => ScriptedReply);

export interface ScriptedModel extends ChatModel {
  /** Every request, in order. */
  readonly requests: readonly ModelRequest[];
}

/**
 * A core `ChatModel` that plays a script and records what it was asked. Fails the test when a request's
 * message history is one that providers refuse, or when the script is at its end.
 */
export function scriptedModel(
  script: Script,
  options: { contextTokens?: number; id?: string } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const id = options.id ?? "scripted:test";
  const own: Fingerprint = fingerprint({ id });
  return {
    id,
    fingerprint: own,
    contextTokens: options.contextTokens ?? 200_000,
    offline: true,
    requests,
    async call(request): Promise<ModelReply> {
      const turn = requests.length;
      requests.push({ ...request, messages: [...request.messages] });
      const fault = historyFault(request.messages);
      if (fault !== undefined) throw new Error(`invalid message history: ${fault}`);
      const reply = typeof script === "function" ? script(request, turn) : script[turn];
      if (reply === undefined) throw new Error(`the script has no reply for call ${turn}`);
      if (reply.error !== undefined) throw reply.error;
      return modelReply(reply, turn);
    },
  };
}

function modelReply(reply: ScriptedReply, turn: number): ModelReply {
  const toolCalls = reply.toolCalls?.map(
    (call, position): ToolCall => ({
      id: call.id ?? `t${turn}-${position}`,
      name: call.name,
      arguments: call.arguments ?? {},
      ...(call.invalid === undefined ? {} : { invalid: call.invalid }),
    }),
  );
  return {
    message: {
      role: "assistant",
      content: reply.content ?? "",
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(reply.provider === undefined ? {} : { provider: reply.provider }),
    },
    stopReason: reply.stopReason ?? (toolCalls === undefined ? "stop" : "tool_calls"),
    usage: { ...noUsage, ...reply.usage },
  };
}

/** A final message in the common format. */
export function finalMessage(answer: string, sources: readonly string[] = []): ScriptedReply {
  return {
    content: `<reasoning>It follows.</reasoning><answer>${answer}</answer><sources>${sources.join(", ")}</sources>`,
  };
}

/** A turn with the given tool calls. */
export function callsTools(...calls: readonly [name: string, args: Json][]): ScriptedReply {
  return { toolCalls: calls.map(([name, args]) => ({ name, arguments: args })) };
}
