/** A fraction as sentences print it: `62.5%`; null is a dash. */
export function percent(fraction: number | null, digits = 1): string {
  return fraction === null ? "-" : `${(fraction * 100).toFixed(digits)}%`;
}

/** A difference of fractions in points, signed: `+2.3 points`. */
export function points(difference: number): string {
  return `${signed(difference * 100, 1)} points`;
}

export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "-" : "+"}${text}`;
}

/** `p = 0.031`, or `p < 0.001`. */
export function pValue(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}
