import { messageOf } from "../../../core/errors.ts";
import type { Pooling } from "./encoder-files.ts";
import type { FromEncoder, LoadMessage, ToEncoder } from "./encoder-messages.ts";

/**
 * One encoder in a process of its own, one ONNX thread each: n of them beat one with n threads, and one text
 * at a time beats batches of unequal length. Lives as long as the channel to its parent.
 */

type Encode = (text: string) => Promise<Float32Array>;

async function load(message: LoadMessage): Promise<Encode> {
  const { AutoModel, AutoTokenizer, env } = await import("@huggingface/transformers");
  env.allowRemoteModels = false;
  env.localModelPath = message.root;
  const tokenizer = await AutoTokenizer.from_pretrained(message.name);
  const model = await AutoModel.from_pretrained(message.name, {
    dtype: message.dtype as "fp32",
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  });
  return async (text) => {
    const inputs = tokenizer(text, { truncation: true, max_length: message.maxPieces });
    const outputs = await model(inputs);
    const { data, dims } = outputs.last_hidden_state.to("float32");
    return pool(data, dims[1], dims[2], message.pooling);
  };
}

/** One text, no padding: every piece counts. */
function pool(data: Float32Array, pieces: number, width: number, pooling: Pooling): Float32Array {
  const pooled = data.slice(0, width);
  if (pooling === "cls") return pooled;
  for (let piece = 1; piece < pieces; piece++) {
    for (let i = 0; i < width; i++) {
      const value = data[piece * width + i]!;
      pooled[i] = pooling === "mean" ? pooled[i]! + value : Math.max(pooled[i]!, value);
    }
  }
  return pooling === "mean" ? pooled.map((sum) => sum / pieces) : pooled;
}

const send = (message: FromEncoder): void => {
  process.send?.(message);
};

let encode: Promise<Encode> | undefined;

async function receive(message: ToEncoder): Promise<void> {
  if (message.type === "load") {
    encode = load(message);
    await encode;
    send({ type: "ready" });
    return;
  }
  const vector = await (await encode!)(message.text);
  send({ type: "vector", id: message.id, vector });
}

let turn: Promise<void> = Promise.resolve();
process.on("message", (message: ToEncoder) => {
  turn = turn
    .then(() => receive(message))
    .catch((error: unknown) => {
      const id = message.type === "encode" ? { id: message.id } : {};
      send({ type: "failed", ...id, message: messageOf(error) });
    });
});
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {});
