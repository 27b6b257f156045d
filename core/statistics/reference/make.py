"""Makes reference.json: the numbers that the statistics are compared with. Run once, by hand:

    python -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0 scikit-learn==1.9.1
    venv/bin/python make.py > reference.json
"""

import json
import random

import numpy
import scipy
import scipy.stats
import sklearn
import sklearn.metrics
import statsmodels
from scipy.stats import bootstrap
from scipy.stats._resampling import BootstrapResult
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

SEED = 20260101
rng = random.Random(SEED)
MASK = 0xFFFFFFFF


def splitmix32(seed):
    state = seed & MASK
    while True:
        state = (state + 0x9E3779B9) & MASK
        z = state ^ (state >> 16)
        z = (z * 0x21F0AAAD) & MASK
        z = ((z ^ (z >> 15)) * 0x735A2D97) & MASK
        yield z ^ (z >> 15)


def xoshiro128(s):
    s = list(s)
    rotl = lambda x, k: ((x << k) | (x >> (32 - k))) & MASK
    while True:
        yield (rotl((s[1] * 5) & MASK, 7) * 9) & MASK
        t = (s[1] << 9) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 11)


def draws(seed, bound, count):
    mix = splitmix32(seed)
    source = xoshiro128([next(mix) for _ in range(4)])
    limit = 2**32 - 2**32 % bound
    out = []
    while len(out) < count:
        value = next(source)
        if value < limit:
            out.append(value % bound)
    return out


def wilson_rows():
    for successes, n in [(0, 10), (10, 10), (8, 10), (1, 3), (62, 129), (177, 200), (1183, 1372), (1, 1)]:
        for confidence in (0.9, 0.95, 0.99):
            low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
            yield dict(successes=successes, n=n, confidence=confidence, low=float(low), high=float(high))


def mcnemar_rows():
    for b, c in [(0, 0), (0, 1), (1, 0), (5, 5), (2, 9), (15, 18), (40, 67), (0, 30), (300, 350), (1000, 1100)]:
        p = mcnemar([[7, b], [c, 3]], exact=True).pvalue if b + c else 1.0
        yield dict(b=b, c=c, p=float(p))


def holm_rows():
    for size in (1, 2, 7, 21):
        ps = [round(rng.random() ** 3, 6) for _ in range(size)]
        reject, adjusted, _, _ = multipletests(ps, alpha=0.05, method="holm")
        yield dict(ps=ps, adjusted=[float(p) for p in adjusted], reject=[bool(r) for r in reject])


def kappa_rows():
    for labels in (["true", "false"], ["a", "b", "c"]):
        for n in (8, 50, 200):
            first = [rng.choice(labels) for _ in range(n)]
            second = [a if rng.random() < 0.7 else rng.choice(labels) for a in first]
            table = [[sum(1 for x, y in zip(first, second) if (x, y) == (i, j)) for j in labels] for i in labels]
            kappa = cohens_kappa(table, return_results=False)
            assert abs(kappa - sklearn.metrics.cohen_kappa_score(first, second)) < 1e-12
            yield dict(first=first, second=second, kappa=float(kappa))


def bootstrap_rows():
    shapes = {
        "skewed": [round(rng.lognormvariate(0, 1), 4) for _ in range(40)],
        "zero-one": [float(rng.random() < 0.3) for _ in range(60)],
        "differences": [round(rng.gauss(0.1, 1), 4) for _ in range(30)],
    }
    for name, values in shapes.items():
        resamples, seed = 2000, 7
        data = numpy.array(values)
        index = numpy.array(draws(seed, len(values), resamples * len(values))).reshape(resamples, -1)
        means = data[index].mean(axis=1)
        for confidence in (0.9, 0.95):
            given = BootstrapResult(None, means, None)
            result = bootstrap((data,), numpy.mean, n_resamples=0, bootstrap_result=given, confidence_level=confidence, method="BCa")
            low, high = result.confidence_interval
            yield dict(name=name, values=values, resamples=resamples, seed=seed, confidence=confidence, mean=float(data.mean()), low=float(low), high=float(high))


def normal_rows():
    for p in (1e-10, 1e-4, 0.02, 0.025, 0.3, 0.5, 0.8, 0.975, 0.999):
        yield dict(p=p, z=float(scipy.stats.norm.ppf(p)))


def random_rows():
    source = xoshiro128([1, 2, 3, 4])
    return dict(state=[1, 2, 3, 4], words=[next(source) for _ in range(8)], seed=42, below10=draws(42, 10, 12))


print(
    json.dumps(
        dict(
            made_with=dict(scipy=scipy.__version__, statsmodels=statsmodels.__version__, scikit_learn=sklearn.__version__, numpy=numpy.__version__),
            seed=SEED,
            wilson=dict(call="statsmodels.stats.proportion.proportion_confint(successes, n, alpha=1-confidence, method='wilson')", rows=list(wilson_rows())),
            mcnemar=dict(call="statsmodels.stats.contingency_tables.mcnemar([[7, b], [c, 3]], exact=True).pvalue", rows=list(mcnemar_rows())),
            holm=dict(call="statsmodels.stats.multitest.multipletests(ps, alpha=0.05, method='holm')", rows=list(holm_rows())),
            kappa=dict(call="statsmodels.stats.inter_rater.cohens_kappa(table), equal to sklearn.metrics.cohen_kappa_score", rows=list(kappa_rows())),
            bootstrap=dict(call="scipy.stats.bootstrap((values,), numpy.mean, n_resamples=0, bootstrap_result=<means of xoshiro128** resamples>, method='BCa')", rows=list(bootstrap_rows())),
            normal=dict(call="scipy.stats.norm.ppf(p)", rows=list(normal_rows())),
            random=dict(call="xoshiro128** and splitmix32 as written in this script", **random_rows()),
        ),
        indent=1,
    )
)
