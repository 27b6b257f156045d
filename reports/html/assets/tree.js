/** The sub-forest of an answer: a tree to walk with the arrow keys, and a strip with one mark per node. */
(() => {
  const { ritbench } = window;
  const { el } = ritbench;

  /** Trees of more nodes than this open only along what was read or is gold. */
  const OPEN_NODES = 40;

  /** What happened to each node in one record: `shown` lists the queries (from 1), `tokens` is null where unread. */
  function nodeStates(question, record) {
    const states = question.nodes.map(() => ({
      shown: [],
      selected: false,
      tokens: null,
      gold: false,
    }));
    record.shown.forEach((nodes, query) => {
      for (const node of nodes) states[node].shown.push(query + 1);
    });
    for (const node of record.selected) states[node].selected = true;
    for (const { node, tokens } of record.read) states[node].tokens = tokens;
    for (const { nodes } of question.evidence) for (const node of nodes) states[node].gold = true;
    return states;
  }

  /** Nodes of this record with their ancestors: other records of the question have others. */
  function keptNodes(question, states) {
    const kept = states.map(
      ({ shown, tokens, gold }) => shown.length > 0 || tokens !== null || gold,
    );
    for (let node = question.nodes.length - 1; node >= 0; node--) {
      const { parent } = question.nodes[node];
      if (kept[node] && parent >= 0) kept[parent] = true;
    }
    return kept;
  }

  function childrenOf(question, kept) {
    const children = question.nodes.map(() => []);
    const roots = [];
    question.nodes.forEach(({ parent }, node) => {
      if (kept[node]) (parent < 0 ? roots : children[parent]).push(node);
    });
    return { roots, children };
  }

  function stateName({ shown, selected, tokens, gold }) {
    const titled = shown.length === 0 ? "path" : selected ? "selected" : "shown";
    const seen = tokens !== null ? "read" : titled;
    return gold ? `gold ${seen}` : seen;
  }

  function marks(state, queries) {
    const { shown, selected, tokens, gold } = state;
    const lost =
      gold && tokens === null && (shown.length > 0 ? "gold, unread" : "gold, never shown");
    return [
      ...(gold ? [["gold", lost || "gold"]] : []),
      ...(tokens !== null ? [["read", `read, ${ritbench.plural(tokens, "token")}`]] : []),
      ...(shown.length > 0
        ? [
            [
              selected ? "selected" : "shown",
              `${selected ? "selected" : "shown"}${queries > 1 ? ` by ${shown.length > 1 ? "queries" : "query"} ${shown.join(", ")}` : ""}`,
            ],
          ]
        : []),
    ];
  }

  function legend(has) {
    const entries = [
      ["gold", "gold: holds gold evidence"],
      ["read", "read: its text entered the context"],
      ["selected", "selected: one of the best nodes"],
      ["shown", "shown: its title was laid before the model"],
      ["path", "path: only leads to others"],
    ];
    return el(
      "ul",
      { class: "legend" },
      entries
        .filter(([name]) => has(name))
        .map(([name, text]) => el("li", {}, el("span", { class: `swatch ${name}` }), text)),
    );
  }

  function strip(question, states, kept) {
    return el(
      "div",
      { class: "strip", "aria-hidden": "true" },
      question.nodes.flatMap(({ parent }, node) =>
        kept[node]
          ? [el("i", { class: `${stateName(states[node])}${parent < 0 ? " root" : ""}` })]
          : [],
      ),
    );
  }

  /** The forest of one record, or null where nothing was shown or read and no gold is known. */
  function forest(question, record, name) {
    const states = nodeStates(question, record);
    const kept = keptNodes(question, states);
    const total = kept.filter(Boolean).length;
    if (total === 0) return null;
    const { roots, children } = childrenOf(question, kept);
    const matters = marksBelow(question, states, kept);
    const list = el("ul", { role: "tree", class: "tree", "aria-label": `Sub-forest of ${name}` });
    const openFirst = (node) => total <= OPEN_NODES || matters[node];
    const item = (node, level) =>
      treeItem(node, level, {
        question,
        states,
        children,
        openFirst,
        queries: record.shown.length,
      });
    ritbench.append(
      list,
      roots.map((node) => item(node, 1)),
    );
    itemsOf(list)[0].tabIndex = 0;
    list.addEventListener("keydown", (event) => onKey(event, list));
    list.addEventListener("click", (event) => onClick(event, list));
    const has = (state) =>
      states.some((own, node) => {
        if (!kept[node]) return false;
        if (state === "path") return stateName(own) === "path";
        return state === "shown"
          ? own.shown.length > 0 && !own.selected
          : state === "read"
            ? own.tokens !== null
            : own[state];
      });
    const all = (open) => () => {
      for (let again = true; again; ) {
        again = false;
        for (const entry of list.querySelectorAll("[aria-expanded]")) {
          if (entry.ariaExpanded === String(open)) continue;
          setOpen(entry, open);
          again = open;
        }
      }
      if (!open) focusItem(list, itemsOf(list)[0], false);
    };
    return el(
      "div",
      { class: "forest" },
      strip(question, states, kept),
      el("p", { class: "quiet" }, countsText(states, kept, roots.length)),
      legend(has),
      el(
        "p",
        { class: "buttons" },
        el("button", { type: "button", onclick: all(true) }, "Open all"),
        el("button", { type: "button", onclick: all(false) }, "Close all"),
      ),
      question.titled
        ? null
        : el("p", { class: "quiet" }, "Titles are missing: the corpus was not at hand."),
      list,
    );
  }

  /** Whether something read or gold lies below a node. */
  function marksBelow(question, states, kept) {
    const below = states.map(() => false);
    for (let node = question.nodes.length - 1; node >= 0; node--) {
      const { parent } = question.nodes[node];
      const own = kept[node] && (states[node].gold || states[node].tokens !== null);
      if (parent >= 0 && (own || below[node])) below[parent] = true;
    }
    return below;
  }

  function countsText(states, kept, trees) {
    const own = states.filter((_, node) => kept[node]);
    const number = (test) => own.filter(test).length;
    const gold = number((state) => state.gold);
    const goldRead = number((state) => state.gold && state.tokens !== null);
    return [
      ritbench.plural(trees, "tree"),
      `${ritbench.plural(
        number(({ shown }) => shown.length > 0),
        "node",
      )} shown`,
      `${number((state) => state.tokens !== null)} read`,
      ...(gold === 0 ? [] : [`${goldRead} of ${ritbench.plural(gold, "gold node")} read`]),
    ].join(" · ");
  }

  let groups = 0;

  /** The item and, beside it, the list it owns: so that an item's name is its own text alone. */
  function treeItem(node, level, tree) {
    const { question, states, children, openFirst, queries } = tree;
    const { id, title } = question.nodes[node];
    const below = children[node];
    const item = el(
      "div",
      {
        role: "treeitem",
        class: `node ${stateName(states[node])}`,
        title: id,
        tabindex: "-1",
        "aria-level": level,
        "aria-expanded": below.length > 0 ? "false" : null,
      },
      el("span", { class: "twist", "aria-hidden": "true" }),
      el("bdi", { class: title === null ? "id" : "title" }, title ?? id),
      marks(states[node], queries).flatMap(([kind, text]) => [
        " ",
        el("span", { class: `mark ${kind}` }, text),
      ]),
    );
    const entry = el("li", { role: "none" }, item);
    if (below.length > 0) {
      item.fill = () => {
        groups++;
        const group = el("ul", { role: "group", id: `nodes-${groups}` });
        ritbench.append(
          group,
          below.map((child) => treeItem(child, level + 1, tree)),
        );
        entry.append(group);
        item.setAttribute("aria-owns", group.id);
        item.fill = undefined;
      };
      if (openFirst(node)) setOpen(item, true);
    }
    return entry;
  }

  function setOpen(item, open) {
    if (open) item.fill?.();
    item.ariaExpanded = String(open);
  }

  function itemsOf(list) {
    return [...list.querySelectorAll("[role=treeitem]")];
  }

  /** The item whose list holds this one, or null for a root. */
  function parentItem(item) {
    const group = item.closest("[role=group]");
    return group === null ? null : group.previousElementSibling;
  }

  function isVisible(item) {
    for (let above = parentItem(item); above !== null; above = parentItem(above)) {
      if (above.ariaExpanded === "false") return false;
    }
    return true;
  }

  function visibleItems(list) {
    return itemsOf(list).filter(isVisible);
  }

  function focusItem(list, item, move = true) {
    for (const other of list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    if (move) item.focus();
  }

  function onClick(event, list) {
    const item = event.target.closest("[role=treeitem]");
    if (item === null) return;
    if (item.ariaExpanded !== null) setOpen(item, item.ariaExpanded === "false");
    focusItem(list, item);
  }

  /** Keys of the WAI-ARIA tree pattern. */
  function onKey(event, list) {
    const item = event.target.closest("[role=treeitem]");
    if (item === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const parent = parentItem(item);
    const step = (by) => {
      const items = visibleItems(list);
      return items[items.indexOf(item) + by];
    };
    const open = item.ariaExpanded;
    let target = item;
    switch (event.key) {
      case "ArrowDown":
        target = step(1);
        break;
      case "ArrowUp":
        target = step(-1);
        break;
      case "Home":
        target = visibleItems(list)[0];
        break;
      case "End":
        target = visibleItems(list).at(-1);
        break;
      case "ArrowRight":
        if (open === "false") setOpen(item, true);
        else if (open === "true") target = step(1);
        break;
      case "ArrowLeft":
        if (open === "true") setOpen(item, false);
        else target = parent;
        break;
      case "Enter":
      case " ":
        if (open !== null) setOpen(item, open === "false");
        break;
      default:
        return;
    }
    event.preventDefault();
    if (target !== undefined && target !== null) focusItem(list, target);
  }

  Object.assign(ritbench, { forest });
})();
