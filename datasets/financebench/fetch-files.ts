import { readFileSync } from "node:fs";
import type { FetchFile } from "../../core/dataset.ts";
import { packageFile } from "../../core/package-file.ts";

const COMMIT = "cc39aeb4afdf33909ee1412188bf89035950c2eb";
const BASE = `https://raw.githubusercontent.com/patronus-ai/financebench/${COMMIT}`;

/** The two files of questions and metadata, and all PDFs of the source repository (filings.tsv). */
export function fetchFiles(): FetchFile[] {
  return [
    {
      url: `${BASE}/data/financebench_open_source.jsonl`,
      path: "data/financebench_open_source.jsonl",
      sha256: "a5a2aa673e573e55675fc3c0f9aa38c1cf59d2abc91edb077534f71f10a71877",
      bytes: 929_848,
    },
    {
      url: `${BASE}/data/financebench_document_information.jsonl`,
      path: "data/financebench_document_information.jsonl",
      sha256: "1c69127783879de8cdadb159d2181f39bc3123b8e0ebf74031c3969d69189575",
      bytes: 88_781,
    },
    ...filings(),
  ];
}

function filings(): FetchFile[] {
  return readFileSync(packageFile("datasets/financebench/filings.tsv"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", bytes = "-", gitBlob = "-"] = line.split("\t");
      return {
        url: `${BASE}/pdfs/${encodeURIComponent(name)}.pdf`,
        path: `pdfs/${name}.pdf`,
        ...(bytes !== "-" && { bytes: Number(bytes) }),
        ...(gitBlob !== "-" && { gitBlob }),
      };
    });
}
