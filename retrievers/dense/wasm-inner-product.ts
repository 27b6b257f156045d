/**
 * The WebAssembly module behind the exact search, put together instruction by instruction: one function
 * `products(vectors, rows, query, strideBytes, results)` over an imported memory. Each step of its inner
 * loop takes 32 floats into four accumulators, so that the additions do not wait for one another.
 */

/** Floats one step takes: rows are padded to a multiple of it. */
export const LANES_A_STEP = 32;

const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY_BLOCK = 0x40;

const loop = [0x03, EMPTY_BLOCK];
const end = [0x0b];
const branchIf = (depth: number): number[] => [0x0d, depth];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, ...signed(value)];
const addI32 = [0x6a];
const subtractI32 = [0x6b];
const lessUnsigned = [0x49];
const addF32 = [0x92];
const storeF32 = [0x38, 2, 0];
const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...unsigned(code), ...rest];
const load = (offset: number): number[] => simd(0x00, 2, ...unsigned(offset));
const zero = simd(0x0c, ...new Array<number>(16).fill(0));
const lane = (index: number): number[] => simd(0x1f, index);
const addF32x4 = simd(0xe4);
const multiplyF32x4 = simd(0xe6);

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const byte = rest & 0x7f;
    rest >>>= 7;
    if (rest === 0) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const byte = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0)) {
      return [...bytes, byte];
    }
    bytes.push(byte | 0x80);
  }
}

const text = (value: string): number[] => [value.length, ...Buffer.from(value, "ascii")];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];

/** The module's bytes, to be instantiated with `{ env: { memory } }`. */
export function innerProductModule(): Uint8Array<ArrayBuffer> {
  const [row, rows, query, stride, result, at, rowEnd] = [0, 1, 2, 3, 4, 5, 6];
  const sums = [7, 8, 9, 10];
  const steps = Array.from({ length: LANES_A_STEP / 4 }, (_, step) => {
    const sum = sums[step % sums.length]!;
    return [
      ...get(sum),
      ...get(row!),
      ...load(16 * step),
      ...get(at!),
      ...load(16 * step),
      ...multiplyF32x4,
      ...addF32x4,
      ...set(sum),
    ];
  }).flat();
  const stepBytes = LANES_A_STEP * 4;
  const body = [
    ...loop,
    ...sums.flatMap((sum) => [...zero, ...set(sum)]),
    ...[...get(query!), ...set(at!)],
    ...[...get(row!), ...get(stride!), ...addI32, ...set(rowEnd!)],
    ...loop,
    ...steps,
    ...[...get(at!), ...constant(stepBytes), ...addI32, ...set(at!)],
    ...[...get(row!), ...constant(stepBytes), ...addI32, ...tee(row!)],
    ...[...get(rowEnd!), ...lessUnsigned, ...branchIf(0)],
    ...end,
    ...get(result!),
    ...[...get(sums[0]!), ...get(sums[1]!), ...addF32x4],
    ...[...get(sums[2]!), ...get(sums[3]!), ...addF32x4],
    ...[...addF32x4, ...set(sums[0]!)],
    ...[...get(sums[0]!), ...lane(0), ...get(sums[0]!), ...lane(1), ...addF32],
    ...[...get(sums[0]!), ...lane(2), ...get(sums[0]!), ...lane(3), ...addF32],
    ...[...addF32, ...storeF32],
    ...[...get(result!), ...constant(4), ...addI32, ...set(result!)],
    ...[...get(rows!), ...constant(1), ...subtractI32, ...tee(rows!), ...branchIf(0)],
    ...end,
    ...end,
  ];
  const locals = [2, 2, I32, sums.length, V128];
  const code = [...locals, ...body];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...text("env"), ...text("memory"), 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text("products"), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}
