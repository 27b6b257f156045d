"""FAISS's flat index on the vectors that `npm run bench -- dense --save FOLDER` wrote, one query at a time on one thread.

    pip install faiss-cpu numpy
    python bench/rivals/faiss-flat.py FOLDER DIMENSIONS [K]
"""

import json
import sys
import time
from pathlib import Path

import faiss
import numpy

WARM_UP = 10

folder, dimensions = Path(sys.argv[1]), int(sys.argv[2])
k = int(sys.argv[3]) if len(sys.argv) > 3 else 200
vectors = numpy.fromfile(folder / "vectors.f32", dtype="<f4").reshape(-1, dimensions)
queries = numpy.fromfile(folder / "queries.f32", dtype="<f4").reshape(-1, dimensions)
faiss.omp_set_num_threads(1)
index = faiss.IndexFlatIP(dimensions)
index.add(vectors)
for query in queries[:WARM_UP]:
    index.search(query[None], k)
times = []
for query in queries:
    started = time.perf_counter()
    index.search(query[None], k)
    times.append((time.perf_counter() - started) * 1e3)
p50, p95 = numpy.percentile(times, [50, 95])
print(json.dumps({"engine": f"faiss {faiss.__version__}", "vectors": len(vectors), "dimensions": dimensions, "k": k, "p50Ms": p50, "p95Ms": p95}))
