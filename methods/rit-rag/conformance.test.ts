import { describeMethod } from "../../tests/conformance/describe-method.ts";
import { callsTools, finalMessage } from "../../tests/support/scripted-model.ts";
import { createRitRag } from "./index.ts";

describeMethod("rit-rag", {
  make: createRitRag,
  variants: [
    () => createRitRag({ n: 49 }),
    () => createRitRag({ kPrime: 100 }),
    () => createRitRag({ B: 9 }),
    () => createRitRag({ Bs: 2 }),
    () => createRitRag({ strictCurrentToc: true }),
    () => createRitRag({ refuseTocAbove80: true }),
    () => createRitRag({ flatMetadata: true }),
  ],
  script: [
    callsTools(["get_toc_structure", { query: "warranty kettle two repair step" }]),
    callsTools(["get_content", { ids: ["kettle-2_0004", "notes_0001", "report-2023_0002"] }]),
    finalMessage("36 months; unplug it", ["kettle-2_0004", "notes_0001"]),
  ],
  agent: {
    withBudget: (B) => createRitRag({ B, Bs: 3 }),
    tools: {
      get_toc_structure: { query: "kettle" },
      get_content: { ids: ["kettle-1_0000"] },
    },
  },
});
