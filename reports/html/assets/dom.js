/** Elements made of text alone: nothing that a document or a model wrote is ever parsed as HTML. */
(() => {
  /** Characters that reorder or hide a line, and controls other than tab and line end. */
  const UNSAFE = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|(?![\t\n])\p{Cc}/gu;

  function plain(text) {
    return String(text).replace(UNSAFE, "");
  }

  /**
   * An element. `on<event>` takes a function, `class` a name, everything else becomes an attribute; null, undefined and
   * false leave it out. Children are elements or texts.
   */
  function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === null || value === false) continue;
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (name === "class") element.className = value;
      else element.setAttribute(name, value === true ? "" : plain(value));
    }
    append(element, children);
    return element;
  }

  function append(element, children) {
    for (const child of children.flat(2)) {
      if (child === undefined || child === null || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(plain(child)));
    }
  }

  function replace(element, ...children) {
    element.replaceChildren();
    append(element, children);
  }

  /** Text of a document or model: line ends kept, direction kept inside. */
  function quoted(text) {
    return el("div", { class: "quoted", dir: "auto" }, text);
  }

  /** A folded part whose content is made when it is first opened. */
  function folded(label, content, open = false) {
    const details = el("details", {}, el("summary", {}, label));
    const fill = () => {
      if (!details.open || details.childElementCount > 1) return;
      append(details, [content()]);
    };
    details.addEventListener("toggle", fill);
    if (open) {
      details.open = true;
      fill();
    }
    return details;
  }

  const LONG = 700;

  /** A text with its rest folded away where it is long. */
  function clipped(text, label) {
    if (text.length <= LONG) return quoted(text);
    return el(
      "div",
      {},
      quoted(`${text.slice(0, LONG).toWellFormed()}…`),
      folded(`${label}, all ${text.length.toLocaleString("en-US")} characters`, () => quoted(text)),
    );
  }

  window.ritbench = { el, append, replace, plain, quoted, folded, clipped };
})();
