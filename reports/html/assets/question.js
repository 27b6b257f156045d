/** The page of one question: what was asked, and one answer or two side by side. */
(() => {
  const { ritbench } = window;
  const { el, quoted } = ritbench;

  /** The method this harness is about is on the right of a pair, beside what it is compared with. */
  const OWN_METHOD = "rit-rag";

  /** Records to begin with: two that differ in their verdict where there are such, else one. */
  function firstChoice(records) {
    const own = records.find(({ method }) => method === OWN_METHOD) ?? records[0];
    const other = records.find(
      ({ method, model, repeat, verdict }) =>
        method !== own.method &&
        model === own.model &&
        repeat === own.repeat &&
        verdict !== null &&
        own.verdict !== null &&
        verdict !== own.verdict,
    );
    return other === undefined ? [own, null] : [other, own];
  }

  /**
   * @param row the question in the summary
   * @param state `{params, neighbours: {before, after}, go(params)}`
   */
  async function questionView(summary, row, { params, neighbours, go }) {
    const question = await ritbench.load(row.file);
    const byKey = new Map(question.records.map((record) => [ritbench.recordKey(record), record]));
    const [firstLeft, firstRight] = firstChoice(row.records).map(
      (record) => record && ritbench.recordKey(record),
    );
    const asked = params.get("left");
    const left = byKey.has(asked) ? asked : firstLeft;
    const right = byKey.has(asked) ? params.get("right") : firstRight;
    const shown = [left, ...(byKey.has(right) && right !== left ? [right] : [])];
    const choose = (l, r) => {
      const next = new URLSearchParams(params);
      next.set("left", l);
      if (r === "" || r === l) next.delete("right");
      else next.set("right", r);
      go(next);
    };
    const select = (label, id, value, none, onChange) => [
      el("label", { for: id }, label),
      el(
        "select",
        { id, onchange: (event) => onChange(event.target.value) },
        none ? el("option", { value: "" }, "nothing") : null,
        [...byKey].map(([key, record]) =>
          el(
            "option",
            { value: key, selected: key === value },
            ritbench.recordName(record, summary),
          ),
        ),
      ),
    ];
    return el(
      "div",
      { class: "question" },
      el(
        "nav",
        { class: "crumbs", "aria-label": "Questions" },
        el("a", { href: ritbench.address("", ritbench.filterParams(params)) }, "All questions"),
        neighbourLink("Previous", neighbours.before, params),
        neighbourLink("Next", neighbours.after, params),
      ),
      el("p", { class: "quiet" }, `${row.dataset} · `, el("bdi", {}, row.id)),
      el(
        "h1",
        { tabindex: "-1", dir: "auto" },
        question.text ?? "The question is not stored with the run.",
      ),
      gold(question),
      el(
        "p",
        { class: "chooser" },
        select("Answer of", "left", left, false, (key) => choose(key, shown[1] ?? "")),
        byKey.size > 1
          ? select("beside", "right", shown[1] ?? "", true, (key) => choose(left, key))
          : null,
      ),
      el(
        "div",
        { class: shown.length > 1 ? "pair" : "single" },
        shown.map((key) => ritbench.recordPanel(question, byKey.get(key), summary)),
      ),
    );
  }

  function neighbourLink(label, row, params) {
    return row === undefined
      ? el("span", { class: "quiet" }, label)
      : el("a", { href: ritbench.address(row.file, ritbench.filterParams(params)) }, label);
  }

  function gold(question) {
    const meta = Object.entries(question.meta);
    return el(
      "dl",
      { class: "gold-facts" },
      question.goldAnswers.length === 0
        ? [el("dt", {}, "Gold answer"), el("dd", {}, "none stored")]
        : [
            el("dt", {}, question.goldAnswers.length > 1 ? "Gold answers" : "Gold answer"),
            question.goldAnswers.map((answer) => el("dd", {}, quoted(answer))),
          ].flat(),
      question.answerable ? null : [el("dt", {}, "Answerable"), el("dd", {}, "no")],
      question.evidence.length === 0
        ? null
        : [
            el("dt", {}, "Gold evidence"),
            question.evidence.map((unit) => el("dd", {}, goldUnit(unit, question))),
          ].flat(),
      meta.length === 0
        ? null
        : [
            el("dt", {}, "About it"),
            el("dd", {}, meta.map(([name, value]) => `${name}: ${value}`).join(" · ")),
          ],
    );
  }

  function goldUnit({ unit, annotator, nodes, unresolved }, question) {
    const titles = nodes.map((node) => question.nodes[node].title ?? question.nodes[node].id);
    return el(
      "span",
      {},
      annotator === null ? null : `${annotator}: `,
      el("bdi", {}, ritbench.unitText(unit)),
      unresolved === null ? null : el("span", { class: "error" }, ` – ${unresolved}`),
      titles.length === 0 ? null : [" in ", el("bdi", {}, titles.join(" / "))],
    );
  }

  Object.assign(ritbench, { questionView });
})();
