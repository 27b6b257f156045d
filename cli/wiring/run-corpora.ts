import { join } from "node:path";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { openCorpus } from "../../core/corpus/store.ts";
import type { RunManifest } from "../../core/record.ts";
import type { Io } from "../io.ts";
import { homeFolder } from "../options.ts";

/** The corpora of a run, opened when first asked for. */
export interface RunCorpora {
  /** Undefined where the corpus is no longer in the home folder. */
  of(dataset: string): Corpus | undefined;
  close(): void;
}

export function openRunCorpora(io: Io, manifest: Pick<RunManifest, "datasets">): RunCorpora {
  const opened = new Map<string, Corpus | undefined>();
  const open = (dataset: string): Corpus | undefined => {
    const hash = manifest.datasets.find(({ name }) => name === dataset)?.corpus;
    // The manifest may come from elsewhere: only a hash may become part of a path.
    if (hash === undefined || !/^[0-9a-f]+$/.test(hash)) return undefined;
    try {
      return openCorpus(join(homeFolder(io), "corpora", hash));
    } catch {
      return undefined;
    }
  };
  return {
    of(dataset) {
      if (!opened.has(dataset)) opened.set(dataset, open(dataset));
      return opened.get(dataset);
    },
    close() {
      for (const corpus of opened.values()) corpus?.close();
      opened.clear();
    },
  };
}
