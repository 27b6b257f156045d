import type { DataFinding, Dataset, DatasetContext } from "../../core/dataset.ts";
import { readOptions } from "../parsing/options.ts";
import { shareSum } from "../parsing/share-sum.ts";
import { sourceFacts } from "../parsing/sources.ts";
import { readDocument } from "./document.ts";
import { findFiles } from "./files.ts";
import { readQuestions } from "./questions.ts";

const NAME = "own";

/** Faults met while the corpus was written, so that `findings` reads no file twice. */
const met = new WeakMap<DatasetContext, DataFinding[]>();

/** A folder of the user's own documents. Formats and questions: see this folder's README. */
export const own: Dataset = {
  name: NAME,
  title: "Own documents",
  version: 2,
  singleTree: false,
  splits: ["split"],
  fetchFiles: [],
  unreleased: "bring your own folder: `ritbench data import <folder> --name <name>`",

  async sources(context) {
    readOptions(NAME, {}, context.options);
    const { documents, questions } = await findFiles(context.folder);
    return sourceFacts(context.folder, [
      ...documents.flatMap(({ path, tree }) => (tree === undefined ? [path] : [path, tree])),
      ...(questions === undefined ? [] : [questions]),
    ]);
  },

  async writeCorpus(sink, context) {
    const { documents, otherFiles } = await findFiles(context.folder);
    const findings: DataFinding[] = [];
    const shares = shareSum();
    let left = 0;
    for (const [i, file] of documents.entries()) {
      context.signal.throwIfAborted();
      if (i % 25 === 0) context.progress(`document ${i + 1} of ${documents.length}`);
      const read = await readDocument(file, context, findings);
      if (read === undefined) {
        left++;
        continue;
      }
      if (read.share !== undefined) shares.add(read.share, read.document.treeKind !== "pages");
      sink.document(read.document);
      sink.tree({ ...read.tree, documentId: file.id });
    }
    for (const note of shares.notes()) sink.note(note);
    if (left > 0) sink.note(`${left} files could not be read and were left out.`);
    if (otherFiles > 0) sink.note(`${otherFiles} files of other formats were passed over.`);
    const recoded = findings.filter(({ kind }) => kind === "encoding").length;
    if (recoded > 0) sink.note(`${recoded} files are not UTF-8.`);
    met.set(context, findings);
  },

  async questions(context) {
    const { questions } = await findFiles(context.folder);
    return questions === undefined ? [] : readQuestions(questions, NAME, context);
  },

  async findings(context) {
    const known = met.get(context);
    if (known !== undefined) return known;
    const findings: DataFinding[] = [];
    for (const file of (await findFiles(context.folder)).documents) {
      context.signal.throwIfAborted();
      await readDocument(file, context, findings);
    }
    return findings;
  },
};
