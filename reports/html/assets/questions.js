/** The list of questions with its filters. */
(() => {
  const { ritbench } = window;
  const { el } = ritbench;

  /** Questions per page of the list. */
  const PAGE = 50;
  const FILTERS = ["dataset", "model", "method", "outcome", "failure", "agreement", "text"];

  /** The filters of an address, without what belongs to a single question. */
  function filterParams(params) {
    const kept = new URLSearchParams();
    for (const name of FILTERS) if (params.get(name)) kept.set(name, params.get(name));
    return kept;
  }

  /** Questions that pass the filters, in the run's order. */
  function matching(summary, params) {
    const value = (name) => params.get(name) ?? "";
    const text = value("text").toLowerCase();
    const fits = (record) =>
      ["model", "method", "outcome", "failure"].every(
        (name) => value(name) === "" || record[name] === value(name),
      );
    return summary.questions.filter(
      (question) =>
        (value("dataset") === "" || question.dataset === value("dataset")) &&
        (text === "" ||
          question.text.toLowerCase().includes(text) ||
          question.id.toLowerCase().includes(text)) &&
        question.records.some(fits) &&
        (value("agreement") === "" || agrees(question, value("agreement"))),
    );
  }

  /** Answers that were made alike but for the method: same model, same repeat. */
  function groups(question) {
    const all = new Map();
    for (const record of question.records) {
      const key = JSON.stringify([record.model, record.repeat]);
      if (record.verdict !== null) all.set(key, [...(all.get(key) ?? []), record]);
    }
    return [...all.values()];
  }

  /** `differ`, `right` or `wrong` (all methods), `right:<method>` or `wrong:<method>` (and another the opposite). */
  function agrees(question, rule) {
    const split = rule.indexOf(":");
    const method = split < 0 ? null : rule.slice(split + 1);
    return groups(question).some((records) => {
      const verdicts = new Set(records.map(({ verdict }) => verdict));
      if (rule === "differ") return verdicts.size > 1;
      const wanted = rule.startsWith("right") ? 1 : 0;
      if (method === null) return verdicts.size === 1 && verdicts.has(wanted);
      return (
        verdicts.size > 1 &&
        records.some((record) => record.method === method && record.verdict === wanted)
      );
    });
  }

  /**
   * Filters, table of failures and list.
   *
   * @param go called with the new filters; `update()` shows them, and a new summary, without a new form.
   */
  function questionsSection(summary, params, go) {
    const counts = el("div", { class: "lost" });
    const list = el("div", { class: "list" });
    const result = el("p", { class: "quiet", id: "found", role: "status" });
    const form = filterForm(summary, (name, value) => change({ [name]: value }));
    const change = (fields) => {
      const next = filterParams(section.params);
      for (const [name, value] of Object.entries(fields)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      go(next);
    };
    const section = {
      params,
      element: el(
        "div",
        {},
        el(
          "section",
          { "aria-labelledby": "lost" },
          el("h2", { id: "lost" }, "Where questions were lost"),
          el("p", { class: "quiet" }, "A number lists its questions below."),
          counts,
        ),
        el(
          "section",
          { "aria-labelledby": "questions" },
          el("h2", { id: "questions" }, "Questions"),
          form.element,
          result,
          list,
        ),
      ),
      update(nextSummary, nextParams) {
        section.params = nextParams;
        form.set(nextParams);
        const found = matching(nextSummary, nextParams);
        ritbench.replace(
          counts,
          ritbench.failures(nextSummary, nextParams.get("dataset") ?? "", (method, failure) => {
            change({ method, failure, outcome: "", agreement: "" });
            document.getElementById("questions").scrollIntoView();
          }),
        );
        ritbench.replace(
          result,
          `${ritbench.count(found.length)} of ${ritbench.plural(nextSummary.questions.length, "question")}`,
        );
        ritbench.replace(list, pagedTable(nextSummary, found, nextParams));
      },
    };
    section.update(summary, params);
    return section;
  }

  function filterForm(summary, onChange) {
    const options = (pairs) => [["", "any"], ...pairs];
    const same = (names) => names.map((name) => [name, name]);
    const used = (field) =>
      new Set(summary.questions.flatMap(({ records }) => records.map((record) => record[field])));
    const outcomes = used("outcome");
    const failures = used("failure");
    const methods = summary.methods.map(({ name, title }) => [name, title]);
    const selects = [
      ["dataset", "Data set", same(summary.datasets)],
      ["model", "Model", same(summary.models)],
      ["method", "Method", methods],
      [
        "outcome",
        "Outcome",
        summary.outcomes
          .filter((name) => outcomes.has(name))
          .map((name) => [name, ritbench.outcomeLabel(name)]),
      ],
      [
        "failure",
        "Ended as",
        summary.failures
          .filter((name) => failures.has(name))
          .map((name) => [name, ritbench.failureLabel(name)]),
      ],
      [
        "agreement",
        "Methods",
        [
          ["differ", "differ"],
          ["right", "all right"],
          ["wrong", "all wrong"],
          ...methods.map(([name, title]) => [`right:${name}`, `${title} right, another wrong`]),
          ...methods.map(([name, title]) => [`wrong:${name}`, `${title} wrong, another right`]),
        ],
      ],
    ].filter(([, , pairs]) => pairs.length > 1);
    const fields = selects.map(([name, label, pairs]) => {
      const select = el(
        "select",
        { id: `filter-${name}`, onchange: (event) => onChange(name, event.target.value) },
        options(pairs).map(([value, text]) => el("option", { value }, text)),
      );
      return { name, input: select, label };
    });
    const text = el("input", {
      id: "filter-text",
      type: "search",
      autocomplete: "off",
      oninput: (event) => onChange("text", event.target.value),
    });
    fields.push({ name: "text", input: text, label: "Text or id" });
    return {
      element: el(
        "form",
        { class: "filters", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
        fields.map(({ name, label, input }) =>
          el("div", {}, el("label", { for: `filter-${name}` }, label), input),
        ),
        el("div", {}, el("a", { class: "button", href: "#/" }, "Clear")),
      ),
      set(next) {
        for (const { name, input } of fields) {
          const value = next.get(name) ?? "";
          if (input.value !== value) input.value = value;
        }
      },
    };
  }

  /** The list page by page, so that ten thousand questions cost no more than fifty. */
  function pagedTable(summary, found, params) {
    if (found.length === 0) return el("p", { class: "quiet" }, "No question passes the filters.");
    const pages = Math.ceil(found.length / PAGE);
    const holder = el("div", {});
    const show = (page, move) => {
      const from = page * PAGE;
      const button = (label, target) =>
        el(
          "button",
          {
            type: "button",
            disabled: target < 0 || target >= pages,
            onclick: () => show(target, true),
          },
          label,
        );
      const status = el("span", { tabindex: "-1" }, `Page ${page + 1} of ${ritbench.count(pages)}`);
      ritbench.replace(
        holder,
        listTable(summary, found.slice(from, from + PAGE), params),
        pages === 1
          ? null
          : el(
              "nav",
              { class: "pages", "aria-label": "Pages of the list" },
              button("First", page === 0 ? -1 : 0),
              button("Previous", page - 1),
              status,
              button("Next", page + 1),
              button("Last", page === pages - 1 ? -1 : pages - 1),
            ),
      );
      if (move) {
        holder.scrollIntoView();
        holder.querySelector("a")?.focus({ preventScroll: true });
      }
    };
    show(0, false);
    return holder;
  }

  function listTable(summary, questions, params) {
    return el(
      "table",
      { class: "questions" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Question"),
          summary.methods.map(({ title }) => el("th", { scope: "col" }, title)),
        ),
      ),
      el(
        "tbody",
        {},
        questions.map((question) => listRow(summary, question, params)),
      ),
    );
  }

  function listRow(summary, question, params) {
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el(
          "a",
          { href: ritbench.address(question.file, filterParams(params)), dir: "auto" },
          question.text || question.id,
        ),
        el("span", { class: "quiet" }, `${question.dataset} · `, el("bdi", {}, question.id)),
      ),
      summary.methods.map(({ name, title }) =>
        el(
          "td",
          { "data-label": title },
          question.records
            .filter(({ method }) => method === name)
            .map((record) => ritbench.verdictMark(record, detailName(record, summary))),
        ),
      ),
    );
  }

  /** What tells several answers of one method apart. */
  function detailName(record, summary) {
    const parts = [
      ...(summary.models.length > 1 ? [record.model] : []),
      ...(summary.repeats > 1 ? [`repeat ${record.repeat + 1}`] : []),
    ];
    return parts.length === 0 ? undefined : parts.join(", ");
  }

  Object.assign(ritbench, { filterParams, matching, questionsSection });
})();
