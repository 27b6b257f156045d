/** Best first: score falls, equal scores by rising chunk handle. */
export interface Ranking {
  chunks: Uint32Array;
  scores: Float64Array;
}

export interface TopK {
  readonly capacity: number;
  /** Score below which nothing is kept any more; 0 until the selection is full. */
  readonly threshold: number;
  offer(score: number, chunk: number): void;
  ranking(): Ranking;
}

/** Keeps the best `capacity` of the offered chunks in a heap with the worst on top. Offers may come in any order. */
export function createTopK(capacity: number): TopK {
  const scores = new Float64Array(capacity);
  const chunks = new Uint32Array(capacity);
  let size = 0;
  let threshold = 0;

  function worse(a: number, b: number): boolean {
    return scores[a]! < scores[b]! || (scores[a] === scores[b] && chunks[a]! > chunks[b]!);
  }

  function swap(a: number, b: number): void {
    const score = scores[a]!;
    const chunk = chunks[a]!;
    scores[a] = scores[b]!;
    chunks[a] = chunks[b]!;
    scores[b] = score;
    chunks[b] = chunk;
  }

  function rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!worse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(length: number): void {
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= length) return;
      if (child + 1 < length && worse(child + 1, child)) child++;
      if (!worse(child, at)) return;
      swap(child, at);
      at = child;
    }
  }

  return {
    capacity,
    get threshold() {
      return threshold;
    },
    offer(score, chunk) {
      if (size < capacity) {
        scores[size] = score;
        chunks[size] = chunk;
        rise(size++);
        if (size === capacity) threshold = scores[0]!;
        return;
      }
      if (score < threshold || (score === threshold && chunk > chunks[0]!)) return;
      scores[0] = score;
      chunks[0] = chunk;
      sink(size);
      threshold = scores[0]!;
    },
    /** Ends the selection: the heap is sorted in place. */
    ranking() {
      for (let length = size - 1; length > 0; length--) {
        swap(0, length);
        sink(length);
      }
      return { chunks: chunks.slice(0, size), scores: scores.slice(0, size) };
    },
  };
}
