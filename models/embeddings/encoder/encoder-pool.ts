import type { ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import { RitbenchError } from "../../../core/errors.ts";
import type { OnVector } from "../vector-source.ts";
import type { EncoderFiles } from "./encoder-files.ts";
import type { FromEncoder, ToEncoder } from "./encoder-messages.ts";

export interface EncoderPool {
  /** Encodes all texts, longest first, on as many processes as there is work for. */
  encode(texts: readonly string[], onVector: OnVector, signal?: AbortSignal): Promise<void>;
  close(): void;
}

interface Task {
  text: string;
  done(vector: Float32Array): void;
  failed(error: Error): void;
}

interface Worker {
  child: ChildProcess;
  running: Map<number, Task>;
}

/** Texts a process holds at once: the second waits in its channel while the first is encoded. */
const HELD = 2;

/**
 * Processes are started when there is work for them and stay for the next texts; idle ones do not keep the
 * program alive. `spawn` starts one.
 */
export function encoderPool(
  files: EncoderFiles,
  processes: number,
  spawn: () => ChildProcess,
): EncoderPool {
  const workers: Worker[] = [];
  let queue: Task[] = [];
  let lastId = 0;

  function start(): Worker {
    const child = spawn();
    const worker: Worker = { child, running: new Map() };
    child.on("message", (message: FromEncoder) => received(worker, message));
    child.on("error", (error) => lost(worker, error.message));
    child.on("exit", (code, signal) => lost(worker, `exit ${code ?? signal}`));
    workers.push(worker);
    tell(child, {
      type: "load",
      root: dirname(files.folder),
      name: files.name,
      dtype: files.dtype,
      pooling: files.pooling,
      maxPieces: files.maxPieces,
    });
    return worker;
  }

  function received(worker: Worker, message: FromEncoder): void {
    if (message.type === "ready") return;
    if (message.type === "failed" && message.id === undefined) {
      remove(worker);
      worker.child.kill();
      failAll(worker, message.message);
      return;
    }
    const task = worker.running.get(message.id!);
    worker.running.delete(message.id!);
    if (message.type === "vector") task?.done(message.vector);
    else task?.failed(encoderError(files, message.message));
    feed();
  }

  function lost(worker: Worker, why: string): void {
    if (!workers.includes(worker)) return;
    remove(worker);
    failAll(worker, `its process ended (${why})`);
  }

  function remove(worker: Worker): void {
    workers.splice(workers.indexOf(worker), 1);
  }

  function failAll(worker: Worker, why: string): void {
    const tasks = [...worker.running.values(), ...queue];
    worker.running.clear();
    queue = [];
    for (const task of tasks) task.failed(encoderError(files, why));
  }

  function feed(): void {
    while (queue.length > 0) {
      const idle = workers.find(({ running }) => running.size === 0);
      const worker =
        idle ??
        (workers.length < processes ? start() : workers.find(({ running }) => running.size < HELD));
      if (worker === undefined) break;
      const task = queue.shift()!;
      const id = ++lastId;
      worker.running.set(id, task);
      tell(worker.child, { type: "encode", id, text: task.text });
    }
    for (const { child, running } of workers) keepAlive(child, running.size > 0);
  }

  return {
    async encode(texts, onVector, signal) {
      signal?.throwIfAborted();
      const order = Array.from(texts.keys()).sort((a, b) => texts[b]!.length - texts[a]!.length);
      await new Promise<void>((resolve, reject) => {
        let open = order.length;
        if (open === 0) return resolve();
        const tasks = order.map(
          (index): Task => ({
            text: texts[index]!,
            done(vector) {
              if (signal?.aborted) return;
              try {
                onVector(index, vector);
              } catch (error) {
                giveUp(error as Error);
              }
              if (--open === 0) {
                signal?.removeEventListener("abort", onAbort);
                resolve();
              }
            },
            failed: giveUp,
          }),
        );
        const own = new Set(tasks);
        function giveUp(error: Error): void {
          queue = queue.filter((task) => !own.has(task));
          signal?.removeEventListener("abort", onAbort);
          reject(error);
        }
        function onAbort(): void {
          giveUp(signal!.reason as Error);
        }
        signal?.addEventListener("abort", onAbort, { once: true });
        queue.push(...tasks);
        feed();
      });
    },
    close() {
      for (const { child } of workers.splice(0)) child.disconnect();
    },
  };
}

function tell(child: ChildProcess, message: ToEncoder): void {
  child.send(message);
}

function keepAlive(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function encoderError(files: EncoderFiles, why: string): RitbenchError {
  return new RitbenchError("E_ENCODER_FAILED", `the encoder failed: ${why}`, {
    where: files.folder,
    next: "check the encoder's files and the memory at hand",
  });
}
