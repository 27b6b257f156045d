/** How outcomes, failures, units and figures are put into words. */
(() => {
  const { ritbench } = window;

  const FAILURES = {
    correct: ["correct", "The judge found the answer correct."],
    not_retrieved: ["not retrieved", "Gold evidence was in no ranking that the method asked for."],
    retrieved_not_shown: [
      "retrieved, not shown",
      "Gold evidence was ranked, but was not laid before the model.",
    ],
    shown_not_read: [
      "shown, not read",
      "The model saw the title of the gold node and left it unread.",
    ],
    read_but_wrong: [
      "read, but wrong",
      "All gold evidence was read, and the answer is still wrong.",
    ],
    wrong_no_evidence: [
      "wrong, no gold evidence",
      "The question has no gold evidence that could say where it was lost.",
    ],
    budget: ["budget exhausted", "The tool budget ran out."],
    context: ["context overflow", "The model's window was full."],
    truncated: ["truncated", "The answer was cut at the token limit."],
    refused: ["refused", "The model refused."],
    empty: ["empty", "The answer was empty."],
    error: ["error", "The question ended in an error."],
    judge_unsure: ["judge unsure", "The judge gave no readable verdict."],
    not_judged: ["not judged", "No gold answer, or not judged yet."],
  };

  const OUTCOMES = {
    answered: "answered",
    empty: "empty",
    truncated: "truncated",
    refused: "refused",
    budget_exhausted: "budget exhausted",
    context_overflow: "context overflow",
    error: "error",
  };

  const failureLabel = (kind) => FAILURES[kind]?.[0] ?? kind;
  const failureReason = (kind) => FAILURES[kind]?.[1] ?? "";
  const outcomeLabel = (outcome) => OUTCOMES[outcome] ?? outcome;

  const count = (value) => Math.round(value).toLocaleString("en-US");
  const plural = (value, word) => `${count(value)} ${word}${value === 1 ? "" : "s"}`;
  const percent = (share) => `${(share * 100).toFixed(1)}%`;

  /** Null is a price that is not known; 0 is 0. */
  function dollars(value) {
    if (value === null) return "cost unknown";
    if (value === 0) return "$0";
    return value < 0.1 ? `$${value.toPrecision(3)}` : `$${value.toFixed(2)}`;
  }

  /** Null is a model without latency. */
  function seconds(ms) {
    return ms === null ? "no latency" : `${(ms / 1000).toFixed(1)} s`;
  }

  /** Tokens, time and money of one call or of all calls of an answer, as short phrases. */
  function usagePhrases(usage) {
    const cached = usage.cacheReadTokens + usage.cacheWriteTokens;
    const input = usage.uncachedInputTokens + cached;
    return [
      `${count(input)} tokens in${usage.cacheReadTokens > 0 ? ` (${count(usage.cacheReadTokens)} from the vendor's cache)` : ""}`,
      `${count(usage.outputTokens)} out${usage.reasoningTokens > 0 ? ` (${count(usage.reasoningTokens)} reasoning)` : ""}`,
      seconds(usage.llmMs),
      dollars(usage.costUsd),
      ...(usage.replayed ? ["replayed: time and cost are the original call's"] : []),
    ];
  }

  function unitText(unit) {
    switch (unit.kind) {
      case "document":
        return `document ${unit.documentId}`;
      case "page":
        return `page ${unit.page + 1} of ${unit.documentId}`;
      case "node":
        return `node ${unit.nodeId}`;
      default:
        return `paragraph of ${unit.documentId}: ${unit.text}`;
    }
  }

  function judgementText(value) {
    switch (value.kind) {
      case "verdict":
        return value.correct ? "correct" : "incorrect";
      case "score":
        return value.score.toFixed(3);
      case "scores":
        return Object.entries(value.scores)
          .filter(([, score]) => score !== null)
          .map(([name, score]) => `${name} ${score.toFixed(2)}`)
          .join(", ");
      default:
        return `not scored (${value.reason})`;
    }
  }

  Object.assign(ritbench, {
    failureLabel,
    failureReason,
    outcomeLabel,
    count,
    plural,
    percent,
    dollars,
    seconds,
    usagePhrases,
    unitText,
    judgementText,
  });
})();
