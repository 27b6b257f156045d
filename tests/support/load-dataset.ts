import { onTestFinished } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { buildCorpus } from "../../core/corpus/writer.ts";
import type { Dataset, DatasetContext } from "../../core/dataset.ts";
import type { Json } from "../../core/json.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What a loader gets, over `folder`, with a cache folder of its own. */
export function datasetContext(
  folder: string,
  options: { readonly [key: string]: Json } = {},
): DatasetContext {
  return {
    folder,
    options,
    cacheFolder: temporaryFolder(),
    signal: new AbortController().signal,
    progress: () => {},
  };
}

/** Builds and opens the data set's corpus; it is closed and removed with the running test. */
export async function loadCorpus(dataset: Dataset, context: DatasetContext): Promise<Corpus> {
  const corpus = await buildCorpus(
    {
      corporaFolder: temporaryFolder(),
      dataset: dataset.name,
      singleTree: dataset.singleTree,
    },
    (sink) => dataset.writeCorpus(sink, context),
  );
  onTestFinished(() => corpus.close());
  return corpus;
}

/** One line a node: a dot for each level, the title, and ` *` where the node has text. */
export function outlineOf(corpus: Corpus): string[] {
  const lines: string[] = [];
  for (let node = 0; node < corpus.nodeCount; node++) {
    const handle = node as Parameters<Corpus["title"]>[0];
    const mark = corpus.readable(handle) ? " *" : "";
    lines.push(`${".".repeat(corpus.depth(handle))}${corpus.title(handle)}${mark}`);
  }
  return lines;
}
