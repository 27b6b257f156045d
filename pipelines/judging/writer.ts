import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { writeAll } from "../../core/files.ts";
import type { Judgement } from "../../core/record.ts";
import { judgementFileName, RUN_FILES } from "../../core/run-folder/paths.ts";
import { repairTail } from "../run/tail.ts";

/** Appends the judgements of one judge. */
export interface JudgementWriter {
  /** @throws RitbenchError E_RUN_WRITE */
  append(judgement: Judgement): void;
  close(): void;
}

/** @param paid flush every line to disk, because it cost a model call; else once at the end. */
export function openJudgementWriter(folder: string, judge: string, paid: boolean): JudgementWriter {
  const path = join(folder, RUN_FILES.judgements, judgementFileName(judge));
  mkdirSync(dirname(path), { recursive: true });
  repairTail(path, judge);
  const file = openSync(path, "a");
  return {
    append(judgement) {
      try {
        writeAll(file, Buffer.from(`${JSON.stringify(judgement)}\n`, "utf8"));
        if (paid) fsyncSync(file);
      } catch (cause) {
        throw new RitbenchError("E_RUN_WRITE", "a judgement could not be stored", {
          where: path,
          got: messageOf(cause),
          next: "make room or mend the folder, then give the same command again",
          cause,
        });
      }
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}
