/** What happened while a question was answered, in order. */
(() => {
  const { ritbench } = window;
  const { el, folded, clipped, quoted } = ritbench;

  /** Chunk ids of a ranking that are listed at once. */
  const RANKING = 200;

  function timeline(question, events) {
    let calls = 0;
    return el(
      "ol",
      { class: "events" },
      events.map((event) => {
        if (event.type === "model_call") calls++;
        const { label, facts = [], body = [] } = describe(event, question, calls);
        return el(
          "li",
          { class: `event ${event.type}` },
          el(
            "p",
            { class: "event-head" },
            el("strong", {}, label),
            facts.map((fact) => el("span", { class: "fact" }, fact)),
          ),
          body,
        );
      }),
    );
  }

  function describe(event, question, call) {
    switch (event.type) {
      case "model_call":
        return modelCall(event, call);
      case "tool_call":
        return {
          label: `Tool ${event.name}`,
          facts: event.refused === null ? [] : [`refused: ${event.refused}`],
          body: [
            argumentsOf(event.arguments),
            event.result === ""
              ? el("p", { class: "quiet" }, "The result is empty.")
              : folded(`Result, ${ritbench.plural(event.result.length, "character")}`, () =>
                  quoted(event.result),
                ),
          ],
        };
      case "retrieved":
        return {
          label: "Ranking",
          facts: [ritbench.plural(event.chunks.length, "chunk"), event.mode],
          body: [
            quoted(event.query),
            folded("Chunks in the order of their rank", () => ranking(event.chunks, question)),
          ],
        };
      case "shown":
        return {
          label: "Sub-forest shown",
          facts: [
            ritbench.plural(event.nodes, "node"),
            `${ritbench.count(event.selected)} selected`,
            ritbench.plural(event.tokens, "token"),
          ],
          body: [quoted(event.query)],
        };
      case "read":
        return {
          label: "Read",
          facts: [
            ritbench.plural(event.items.length, "item"),
            ritbench.plural(
              event.items.reduce((sum, { tokens }) => sum + tokens, 0),
              "token",
            ),
          ],
          body: [
            el(
              "ul",
              { class: "reads" },
              event.items.map((item) => readItem(item, question)),
            ),
          ],
        };
      case "limit":
        return { label: `Limit: ${event.limit}`, body: [quoted(event.detail)] };
      case "note":
        return {
          label: "Note",
          facts: [event.note],
          body: event.detail === undefined ? [] : [argumentsOf(event.detail)],
        };
      default:
        return { label: `Error ${event.code}`, body: [quoted(event.message)] };
    }
  }

  function modelCall(event, call) {
    const { usage, reply, toolCalls, messages, carriedMessages, stopReason } = event;
    return {
      label: `Model call ${call}`,
      facts: [event.task, ...ritbench.usagePhrases(usage), `ended: ${stopReason}`],
      body: [
        reply.trim() === "" ? null : clipped(reply, "Reply"),
        toolCalls.map((asked) =>
          el(
            "div",
            { class: "asked" },
            el("span", {}, `asks for ${asked.name}`),
            asked.invalid === null ? argumentsOf(asked.arguments) : quoted(asked.invalid),
          ),
        ),
        folded(promptLabel(messages.length, carriedMessages), () =>
          el(
            "div",
            {},
            el("p", { class: "quiet" }, `Model: ${event.model}`),
            event.tools.length === 0
              ? null
              : el("p", { class: "quiet" }, `Tools offered: ${event.tools.join(", ")}`),
            messages.map((message) => promptMessage(message)),
          ),
        ),
      ],
    };
  }

  function promptLabel(own, carried) {
    return carried === 0
      ? `Prompt, ${ritbench.plural(own, "message")}`
      : `Prompt, ${ritbench.plural(own, "message")} more than the call it goes on from`;
  }

  function promptMessage(message) {
    return el(
      "div",
      { class: "message" },
      el("strong", {}, message.role),
      message.asAbove
        ? el("p", { class: "quiet" }, `the result of ${message.name}, as above`)
        : quoted(message.content),
    );
  }

  function argumentsOf(value) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      return quoted(JSON.stringify(value));
    }
    return el(
      "dl",
      { class: "arguments" },
      Object.entries(value).flatMap(([name, field]) => [
        el("dt", {}, name),
        el("dd", {}, el("bdi", {}, typeof field === "string" ? field : JSON.stringify(field))),
      ]),
    );
  }

  function ranking(chunks, question) {
    const titles = new Map(question.nodes.map(({ id, title }) => [id, title]));
    return el(
      "div",
      {},
      el(
        "ol",
        { class: "ranking" },
        chunks.slice(0, RANKING).map((chunk) => {
          const title = titles.get(chunk.slice(0, chunk.lastIndexOf("#")));
          return el(
            "li",
            {},
            el("bdi", { class: "id" }, chunk),
            title ? [" ", el("bdi", {}, title)] : null,
          );
        }),
      ),
      chunks.length > RANKING
        ? el("p", { class: "quiet" }, `and ${chunks.length - RANKING} more`)
        : null,
    );
  }

  function readItem({ kind, id, node, tokens }, question) {
    const title = node === null ? null : question.nodes[node].title;
    return el(
      "li",
      {},
      `${kind} `,
      el("bdi", { class: "id" }, id),
      title === null ? null : [" ", el("bdi", {}, title)],
      el("span", { class: "quiet" }, ` ${ritbench.plural(tokens, "token")}`),
    );
  }

  Object.assign(ritbench, { timeline });
})();
