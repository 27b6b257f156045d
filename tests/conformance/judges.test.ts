import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { buildCorpus } from "../../core/corpus/writer.ts";
import type { DocumentId, NodeId } from "../../core/ids.ts";
import { judgeFactories } from "../../judges/registry.ts";
import { judgeContext, question, record } from "../support/judge-case.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { describeJudge } from "./describe-judge.ts";

const folder = mkdtempSync(join(tmpdir(), "judges-"));
const corpus = await buildCorpus(
  { corporaFolder: folder, dataset: "toy", singleTree: false },
  (sink) => {
    sink.document({ id: "d", title: "Kettles" });
    sink.tree({
      title: "Kettles",
      documentId: "d",
      children: [{ title: "Limits", text: "The limit is 500." }],
    });
  },
);
afterAll(() => {
  corpus.close();
  rmSync(folder, { recursive: true, force: true });
});

const nodeId = "d_0001" as NodeId;
const documentId = "d" as DocumentId;
const asked = question("q1", {
  goldAnswers: ["The limit is 500 requests."],
  nuggets: ["The limit is 500 requests"],
  evidence: [{ units: [{ kind: "node", nodeId }] }],
});
const answered = record("The limit is 500 requests.", {
  reads: [
    { kind: "node", id: nodeId, documentId, spans: [{ nodeId, start: 0, end: 17 }], tokens: 5 },
  ],
});

/** A model that gives whatever kind of reply is asked for. */
const model = () =>
  scriptedModel(({ task }) => ({ content: task === "judge.g-e" ? '{"score": 9}' : "True" }));

for (const [name, make] of Object.entries(judgeFactories)) {
  describeJudge(name, {
    make,
    question: asked,
    record: answered,
    context: () => judgeContext({ corpus, ...(make().needsModel ? { model: model() } : {}) }),
  });
}
