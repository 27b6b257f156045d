/**
 * Quantile of the standard normal distribution: rational approximation (P. J. Acklam) with one Newton step on
 * {@link normalCdf}; absolute error below 1e-12 for 1e-12 < p < 1 - 1e-12.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`no normal quantile at ${p}`);
  if (p > 0.5) return -normalQuantile(1 - p);
  const start = p < 0.02425 ? tail(Math.sqrt(-2 * Math.log(p))) : centre(p - 0.5);
  const density = Math.exp((-start * start) / 2) / Math.sqrt(2 * Math.PI);
  const step = (normalCdf(start) - p) / density;
  // Halley's correction of the Newton step.
  return start - step / (1 + (start * step) / 2);
}

function tail(q: number): number {
  const c = [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734,
    4.374664141464968, 2.938163982698783,
  ];
  const d = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
  return polynomial(c, q) / polynomial(d, q);
}

function centre(q: number): number {
  const a = [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2,
    -3.066479806614716e1, 2.506628277459239,
  ];
  const b = [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ];
  return (polynomial(a, q * q) * q) / polynomial(b, q * q);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}

/** P(Z <= x) by a continued fraction in the tails and a series near 0; relative error about 1e-15. */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  const z = -x;
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 3) {
    let fraction = z;
    for (let k = 60; k >= 1; k--) fraction = z + k / fraction;
    return density / fraction;
  }
  let term = z;
  let sum = z;
  for (let k = 1; k < 200 && term > sum * 1e-18; k++) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return 0.5 - density * sum;
}
