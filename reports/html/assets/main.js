/** Addresses after `#`: `#/?filters` is the summary, `#/<question file>?filters&left=..&right=..` one question. */
(() => {
  const { ritbench } = window;
  const { el, replace } = ritbench;
  const main = document.getElementById("main");
  const live = document.documentElement.dataset.live === "true";
  /** Milliseconds between questions to the server of a live page. */
  const POLL_MS = 2000;
  let summary;
  let section;
  let shown;

  function address(file, params) {
    const query = params.toString();
    return `#/${file}${query === "" ? "" : `?${query}`}`;
  }

  function place() {
    const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
    return { path, params: new URLSearchParams(query) };
  }

  Object.assign(ritbench, { address });

  function header() {
    const { name, id, status, identity, programVersion } = summary.run;
    document.title = `${ritbench.plain(name)} - ritbench`;
    replace(
      document.getElementById("top"),
      el("a", { class: "name", href: "#/" }, name),
      el(
        "p",
        { class: "quiet" },
        `run ${id} · ${status} · identity `,
        el("code", {}, identity),
        ` · ritbench ${programVersion}`,
      ),
    );
  }

  async function route(event) {
    const { path, params } = place();
    const moved = event !== undefined;
    if (path === "") {
      showSummary(params);
      if (moved && shown !== path) main.focus({ preventScroll: true });
      shown = path;
      return;
    }
    section = undefined;
    const row = summary.questions.find(({ file }) => file === path);
    if (row === undefined) {
      replace(main, el("h1", {}, "No such question"), el("a", { href: "#/" }, "All questions"));
      return;
    }
    const list = ritbench.matching(summary, params);
    const at = list.indexOf(row);
    const view = await ritbench.questionView(summary, row, {
      params,
      neighbours: { before: list[at - 1], after: at < 0 ? undefined : list[at + 1] },
      go: (next) => {
        history.replaceState(null, "", address(path, next));
        route();
      },
    });
    if (place().path !== path) return;
    replace(main, view);
    if (moved) {
      window.scrollTo(0, 0);
      view.querySelector("h1").focus({ preventScroll: true });
    }
    shown = path;
  }

  function showSummary(params) {
    if (section !== undefined) {
      section.update(summary, params);
      return;
    }
    section = ritbench.questionsSection(summary, params, (next) => {
      history.replaceState(null, "", address("", next));
      showSummary(next);
    });
    replace(
      main,
      el("h1", { class: "offscreen" }, "Summary"),
      el("div", { id: "board" }, ritbench.leaderboard(summary)),
      section.element,
    );
  }

  function fail(error) {
    replace(
      main,
      el("h1", {}, "The report could not be shown"),
      el("p", { class: "error" }, error.message),
    );
  }

  /** What is new on the server: progress at once, and the figures when answers came in. */
  async function poll(known) {
    let version = known;
    try {
      const news = await (await fetch("live.json")).json();
      progress(news);
      version = news.version;
      if (known !== undefined && version !== known) await renew();
    } catch {
      replace(
        document.getElementById("live"),
        "The server has stopped; this is what it said last.",
      );
      return;
    }
    setTimeout(poll, POLL_MS, version);
  }

  async function renew() {
    ritbench.refresh();
    summary = await ritbench.loadSummary();
    header();
    const { path, params } = place();
    if (path !== "") return;
    replace(document.getElementById("board"), ritbench.leaderboard(summary));
    section?.update(summary, params);
  }

  function progress({ status, done, planned }) {
    const holder = document.getElementById("live");
    const text = `Live: ${status}, ${ritbench.count(done)} of ${ritbench.count(planned)} answers`;
    if (holder.dataset.text === text) return;
    holder.dataset.text = text;
    replace(
      holder,
      el("progress", {
        max: Math.max(planned, 1),
        value: Math.min(done, planned),
        "aria-label": "Answers",
      }),
      ` ${text}`,
    );
  }

  async function start() {
    summary = await ritbench.loadSummary();
    header();
    await route();
    window.addEventListener("hashchange", (event) => route(event).catch(fail));
    if (live) await poll();
  }

  start().catch(fail);
})();
