/** Loads data files: scripts beside the page, since a page opened from disk may not fetch. */
(() => {
  const { ritbench } = window;
  const pending = new Map();
  let version = 0;

  /** The content of `data/<name>.js`; loaded once. Rejects where the file is absent. */
  function load(name) {
    const known = pending.get(name);
    if (known !== undefined) return known;
    const loading = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js${version === 0 ? "" : `?v=${version}`}`;
      script.onload = () => {
        script.remove();
        const value = window.ritbenchData?.[name];
        if (value === undefined) reject(new Error(`data/${name}.js holds no data`));
        else resolve(value);
        if (window.ritbenchData !== undefined) delete window.ritbenchData[name];
      };
      script.onerror = () => {
        script.remove();
        pending.delete(name);
        reject(new Error(`data/${name}.js could not be read; keep it beside index.html`));
      };
      document.head.append(script);
    });
    pending.set(name, loading);
    return loading;
  }

  /** Forgets what was loaded: the run has gone on. */
  function refresh() {
    version++;
    pending.clear();
  }

  /** The summary with its tuples turned into objects, records below their question. */
  async function loadSummary() {
    const { questions, records, ...head } = await load("summary");
    const rows = questions.map(([file, dataset, id, text]) => ({
      file,
      dataset: head.datasets[dataset],
      id,
      text,
      records: [],
    }));
    for (const record of records) {
      const [question, method, model, repeat, outcome, verdict, failure] = record;
      rows[question].records.push({
        method: head.methods[method].name,
        title: head.methods[method].title,
        model: head.models[model],
        repeat,
        outcome: head.outcomes[outcome],
        verdict,
        failure: head.failures[failure],
      });
    }
    return { ...head, questions: rows };
  }

  /** A record within its question, as it stands in an address. */
  function recordKey({ method, model, repeat }) {
    return [method, model, String(repeat)].map(encodeURIComponent).join("~");
  }

  /** `RIT-RAG`, with model and repeat where the run has several. */
  function recordName(record, summary) {
    return [
      record.title,
      ...(summary.models.length > 1 ? [record.model] : []),
      ...(summary.repeats > 1 ? [`repeat ${record.repeat + 1}`] : []),
    ].join(", ");
  }

  Object.assign(ritbench, { load, loadSummary, refresh, recordKey, recordName });
})();
