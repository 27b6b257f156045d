/** The memory of a typed array as bytes, without a copy. Multi-byte values are little-endian on every platform Node runs on. */
export function bytesOf(array: Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
