/** One answer of one method. */
(() => {
  const { ritbench } = window;
  const { el, quoted, folded } = ritbench;

  /** Right, wrong or not scored, with the failure in words; never by colour alone. */
  function verdictMark({ verdict, failure }, name) {
    const kind = verdict === 1 ? "right" : verdict === 0 ? "wrong" : "open";
    const symbol = { right: "✓", wrong: "✗", open: "–" }[kind];
    const label = ritbench.failureLabel(failure);
    return el(
      "span",
      { class: `verdict ${kind}`, title: ritbench.failureReason(failure) },
      el("span", { "aria-hidden": "true" }, `${symbol} `),
      name === undefined ? null : el("span", { class: "name" }, `${name}: `),
      label,
    );
  }

  function verdictOf(record) {
    const value = record.judgements[0]?.value;
    return value?.kind === "verdict" ? (value.correct ? 1 : 0) : null;
  }

  function recordPanel(question, record, summary) {
    const name = ritbench.recordName(record, summary);
    const forest = ritbench.forest(question, record, name);
    return el(
      "article",
      { class: "record", "aria-label": name },
      el(
        "header",
        {},
        el("h2", {}, name),
        verdictMark({ verdict: verdictOf(record), failure: record.failure }),
      ),
      el("p", { class: "quiet" }, ritbench.failureReason(record.failure)),
      facts(record),
      el("h3", {}, "Answer"),
      record.answer === ""
        ? el("p", { class: "quiet" }, "The answer is empty.")
        : el("div", { class: "answer" }, quoted(record.answer)),
      record.error === null
        ? null
        : el("p", { class: "error" }, `${record.error.code}: ${record.error.message}`),
      record.reasoning === "" ? null : folded("Reasoning", () => quoted(record.reasoning)),
      record.sources.length === 0
        ? null
        : el(
            "p",
            {},
            "Sources named: ",
            record.sources.flatMap((source, i) => [
              i === 0 ? "" : ", ",
              el("bdi", { class: "id" }, source),
            ]),
          ),
      judges(record),
      units(record),
      el("h3", {}, "Sub-forest"),
      forest ?? el("p", { class: "quiet" }, "Nothing was shown or read."),
      el("h3", {}, "Trace"),
      record.events === null
        ? el("p", { class: "quiet" }, "The trace is missing or unreadable.")
        : ritbench.timeline(question, record.events),
    );
  }

  function facts(record) {
    const { usage, toolCalls, costAtHaikuUsd, flags } = record;
    const tools = Object.entries(toolCalls).map(([tool, calls]) => `${tool} ${calls}`);
    const [input, output, time, cost, ...rest] = ritbench.usagePhrases(usage);
    const rows = [
      ["Outcome", [ritbench.outcomeLabel(record.outcome), ...flags].join(", ")],
      ["Model", `${record.model}, ${ritbench.plural(record.modelCalls, "call")}`],
      ["Tool calls", tools.length === 0 ? "none" : tools.join(", ")],
      ["Tokens", `${input}, ${output}`],
      ["Time", [time, ...rest].join("; ")],
      [
        "Money",
        costAtHaikuUsd === null
          ? cost
          : `${cost} (${ritbench.dollars(costAtHaikuUsd)} at the paper's Haiku price, hypothetical)`,
      ],
    ];
    return el(
      "dl",
      { class: "facts" },
      rows.map(([label, text]) => el("div", {}, el("dt", {}, label), el("dd", {}, text))),
    );
  }

  function judges({ judgements }) {
    if (judgements.length === 0) return el("p", { class: "quiet" }, "Not judged yet.");
    return [
      el("h3", {}, "Judges and scorers"),
      el(
        "ul",
        { class: "judges" },
        judgements.map(({ judge, value, reply }) =>
          el(
            "li",
            {},
            el("strong", {}, judge),
            `: ${ritbench.judgementText(value)}`,
            reply === null || reply === "" ? null : el("blockquote", {}, quoted(reply)),
          ),
        ),
      ),
    ];
  }

  function units({ units: all }) {
    if (all.length === 0) return null;
    const yes = (value) =>
      value === null
        ? el("td", {}, "–")
        : el("td", { class: value ? "yes" : "no" }, value ? "✓ yes" : "✗ no");
    return [
      el("h3", {}, "Gold evidence on its way"),
      ritbench.scrolling(
        "Gold evidence",
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ["Unit", "Retrieved", "Shown", "Read"].map((head) =>
                el("th", { scope: "col" }, head),
              ),
            ),
          ),
          el(
            "tbody",
            {},
            all.map(({ unit, retrieved, shown, read }) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, el("bdi", {}, ritbench.unitText(unit))),
                yes(retrieved),
                yes(shown),
                yes(read),
              ),
            ),
          ),
        ),
      ),
    ];
  }

  Object.assign(ritbench, { verdictMark, recordPanel });
})();
