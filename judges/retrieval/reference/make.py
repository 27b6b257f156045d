"""Makes reference.json: rankings with the values that ir_measures (over pytrec_eval) and ranx give them. Run once:

    python -m venv venv && venv/bin/pip install ir_measures==0.4.3 pytrec_eval-terrier ranx
    venv/bin/python make.py > reference.json
"""

import json
import random
from importlib.metadata import version

import ir_measures
from ir_measures import RR, P, R, nDCG
from ranx import Qrels, Run, evaluate

SEED = 20260101
rng = random.Random(SEED)
CUTS = (5, 10, 20)
MEASURES = [m @ k for k in CUTS for m in (P, R, RR, nDCG)]

rankings = {}
for q in range(40):
    pool = [f"c{i}" for i in range(30)]
    rng.shuffle(pool)
    rankings[f"q{q:02d}"] = dict(ranking=pool[: rng.randint(20, 30)], relevant=sorted(rng.sample([f"c{i}" for i in range(35)], rng.randint(1, 5))))

qrels = {q: {d: 1 for d in row["relevant"]} for q, row in rankings.items()}
run = {q: {d: float(len(row["ranking"]) - i) for i, d in enumerate(row["ranking"])} for q, row in rankings.items()}
values = {q: {} for q in rankings}
for metric in ir_measures.iter_calc(MEASURES, qrels, run):
    values[metric.query_id][str(metric.measure)] = metric.value

means = {str(m): sum(values[q][str(m)] for q in values) / len(values) for m in MEASURES}
names = {P: "precision", R: "recall", RR: "mrr", nDCG: "ndcg"}
for k in CUTS:
    for measure, name in names.items():
        other = evaluate(Qrels(qrels), Run(run), f"{name}@{k}")
        assert abs(other - means[str(measure @ k)]) < 1e-9, (name, k, other)

print(
    json.dumps(
        dict(
            made_with={p: version(p) for p in ("ir_measures", "pytrec_eval-terrier", "ranx")},
            seed=SEED,
            call="ir_measures.iter_calc([P@k, R@k, RR@k, nDCG@k], qrels, run); means equal to ranx.evaluate",
            cuts=CUTS,
            questions=[dict(id=q, **rankings[q], values=values[q]) for q in rankings],
            means=means,
        ),
        indent=None,
    )
)
