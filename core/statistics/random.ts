/** A seeded source of random numbers: the same seed gives the same sequence everywhere. */
export interface Random {
  /** Integer in `[0, bound)`, without bias; `bound` at most 2^32. */
  below(bound: number): number;
  /** In `[0, 1)`. */
  uniform(): number;
}

/** xoshiro128** (Blackman and Vigna 2018), its state filled from the seed by splitmix32. */
export function seededRandom(seed: number): Random {
  const mix = splitmix32(seed);
  return xoshiro128([mix(), mix(), mix(), mix()]);
}

/** xoshiro128** from a state of four 32-bit words, not all zero. */
export function xoshiro128(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state;
  function next(): number {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotateLeft(d, 11);
    return result;
  }
  return {
    below(bound) {
      // Values beyond the last whole multiple of the bound would favour small results.
      const limit = 2 ** 32 - (2 ** 32 % bound);
      let value = next();
      while (value >= limit) value = next();
      return value % bound;
    },
    uniform: () => next() / 2 ** 32,
  };
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

function rotateLeft(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}
