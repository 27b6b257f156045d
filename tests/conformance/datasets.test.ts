import { packageFile } from "../../core/package-file.ts";
import { entqabench } from "../../datasets/entqabench/index.ts";
import { financebench } from "../../datasets/financebench/index.ts";
import { own } from "../../datasets/own/index.ts";
import { qasper } from "../../datasets/qasper/index.ts";
import { wixqa } from "../../datasets/wixqa/index.ts";
import { describeRealData } from "../support/real-data.ts";
import { describeDataset } from "./describe-dataset.ts";

const sample = (name: string) => packageFile(`datasets/samples/${name}`);

describeDataset("financebench (sample)", {
  dataset: financebench,
  folder: sample("financebench"),
  questions: { total: 19, runnable: 18 },
});
describeDataset("own (sample)", {
  dataset: own,
  folder: sample("own"),
  questions: { total: 7, runnable: 7 },
});
describeDataset("qasper (sample)", {
  dataset: qasper,
  folder: sample("qasper"),
  questions: { total: 50, runnable: 50 },
});
describeDataset("wixqa (sample)", {
  dataset: wixqa,
  folder: sample("wixqa"),
  questions: { total: 18, runnable: 18 },
});

describeDataset("entqabench (sample)", {
  dataset: entqabench,
  folder: sample("entqabench"),
  questions: { total: 19, runnable: 19 },
});

describeRealData("FinanceBench, referenced filings", "financebench", (folder) => {
  describeDataset("financebench", {
    dataset: financebench,
    folder,
    options: { filings: "referenced" },
    questions: { total: 150, runnable: 129 },
  });
});
describeRealData("own documents", "own-corpus", (folder) => {
  describeDataset("own", { dataset: own, folder, questions: { total: 0, runnable: 0 } });
});
describeRealData("QASPER, ten complete papers", "qasper", (folder) => {
  describeDataset("qasper", { dataset: qasper, folder, questions: { total: 45, runnable: 45 } });
});
describeRealData("QASPER, 80 papers with guessed sections", "qasper", (folder) => {
  describeDataset("qasper", {
    dataset: qasper,
    folder,
    options: { papers: "guessed" },
    questions: { total: 270, runnable: 266 },
  });
});
describeRealData("WixQA, 160 questions with their articles", "wixqa", (folder) => {
  describeDataset("wixqa", { dataset: wixqa, folder, questions: { total: 160, runnable: 160 } });
});
describeRealData("PowerShell portal", "powershell-docs", (folder) => {
  describeDataset("powershell-docs", {
    dataset: entqabench,
    folder,
    questions: { total: 15, runnable: 15 },
  });
});
