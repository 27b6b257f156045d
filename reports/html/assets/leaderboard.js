/** The leaderboard with intervals, the figures, and where questions were lost. */
(() => {
  const { ritbench } = window;
  const { el, folded } = ritbench;

  let regions = 0;

  /** A wide table scrolls inside its own region, which the keyboard reaches. */
  function scrolling(label, table) {
    regions++;
    const region = el(
      "div",
      {
        class: "scrolling",
        role: "region",
        tabindex: "0",
        "aria-label": `${label}, table ${regions}`,
      },
      table,
    );
    return region;
  }

  function leaderboard({ leaderboard: board, figures, methods }) {
    return el(
      "section",
      { "aria-labelledby": "leaderboard" },
      el("h2", { id: "leaderboard" }, "Leaderboard"),
      board.rows.length === 0
        ? el("p", { class: "quiet" }, "No answer is stored yet.")
        : scrolling("Leaderboard", boardTable(board)),
      el(
        "ul",
        { class: "notes" },
        board.notes.map((note) => el("li", {}, note)),
      ),
      folded("Fingerprints of the methods", () =>
        el(
          "ul",
          { class: "notes" },
          methods.map(({ title, fingerprint }) =>
            el("li", {}, `${title}: `, el("code", {}, fingerprint)),
          ),
        ),
      ),
      figures.length === 0
        ? null
        : el(
            "div",
            { class: "figures" },
            figures.map(({ file, title }) =>
              el(
                "figure",
                {},
                el("img", { src: file, alt: title, loading: "lazy" }),
                el("figcaption", {}, title),
              ),
            ),
          ),
    );
  }

  function boardTable({ columns, rows }) {
    const titleAt = columns.findIndex(({ key }) => key === "title");
    const intervalAt = columns.findIndex(({ key }) => key === "interval");
    const setAt = columns.findIndex(({ key }) => key === "dataset");
    return el(
      "table",
      { class: "board" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          columns.flatMap(({ label, right }, i) => [
            el("th", { scope: "col", class: right ? "right" : null }, label),
            i === intervalAt ? el("th", { scope: "col" }, "0 to 100%") : null,
          ]),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map(({ cells, accuracy }, at) =>
          el(
            "tr",
            {
              class:
                at > 0 && rows[at - 1].cells[setAt]?.text !== cells[setAt]?.text ? "first" : null,
            },
            cells.flatMap(({ text, best }, i) => [
              el(
                i === titleAt ? "th" : "td",
                {
                  scope: i === titleAt ? "row" : null,
                  class: columns[i].right ? "right" : null,
                },
                best ? el("strong", {}, text) : text,
              ),
              i === intervalAt ? el("td", {}, intervalBar(accuracy)) : null,
            ]),
          ),
        ),
      ),
    );
  }

  function intervalBar(accuracy) {
    if (accuracy === null) return "–";
    const { estimate, low, high } = accuracy;
    const bar = el("span", {
      class: "interval",
      role: "img",
      "aria-label": `${ritbench.percent(estimate)}, between ${ritbench.percent(low)} and ${ritbench.percent(high)}`,
    });
    bar.style.setProperty("--low", low);
    bar.style.setProperty("--high", high);
    bar.style.setProperty("--at", estimate);
    return bar;
  }

  /** Methods by kind of failure over the questions of the chosen data set; a number filters the list below. */
  function failures(summary, dataset, onChoose) {
    const rows = new Map(
      summary.methods.map(({ name, title }) => [name, { title, counts: {}, total: 0 }]),
    );
    for (const question of summary.questions) {
      if (dataset !== "" && question.dataset !== dataset) continue;
      for (const { method, failure } of question.records) {
        const row = rows.get(method);
        row.counts[failure] = (row.counts[failure] ?? 0) + 1;
        row.total++;
      }
    }
    const kinds = summary.failures.filter((kind) =>
      [...rows.values()].some(({ counts }) => counts[kind] !== undefined),
    );
    if (kinds.length === 0) return el("p", { class: "quiet" }, "No answer is stored yet.");
    return scrolling(
      "Where questions were lost",
      el(
        "table",
        { class: "failures" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Method"),
            kinds.map((kind) =>
              el(
                "th",
                { scope: "col", class: "right", title: ritbench.failureReason(kind) },
                ritbench.failureLabel(kind),
              ),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          [...rows].map(([method, { title, counts, total }]) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, title),
              kinds.map((kind) =>
                countCell(counts[kind] ?? 0, total, { title, kind, method }, onChoose),
              ),
            ),
          ),
        ),
      ),
    );
  }

  function countCell(number, total, { title, kind, method }, onChoose) {
    const cell = el(
      "td",
      { class: `right share ${kind === "correct" ? "right-answers" : ""}` },
      number === 0
        ? "0"
        : el(
            "button",
            {
              type: "button",
              "aria-label": `${number} of ${title}, ${ritbench.failureLabel(kind)}: list them`,
              onclick: () => onChoose(method, kind),
            },
            ritbench.count(number),
          ),
    );
    cell.style.setProperty("--share", total === 0 ? 0 : number / total);
    return cell;
  }

  Object.assign(ritbench, { scrolling, leaderboard, failures });
})();
