type Value = string | number | boolean;

/** 0.795 as `79.5%`. */
export function percent(value: Value): string {
  return typeof value === "number" ? `${(value * 100).toFixed(1)}%` : String(value);
}

/** A number with a fixed count of decimals. */
export function decimals(places: number): (value: Value) => string {
  return (value) => (typeof value === "number" ? value.toFixed(places) : String(value));
}

/** 12345 as `12,345`. */
export function integer(value: Value): string {
  return typeof value === "number" ? Math.round(value).toLocaleString("en-US") : String(value);
}

/** Dollars: cents and below keep three figures (`$0.00412`), larger sums two decimals. */
export function dollars(value: Value): string {
  if (typeof value !== "number") return String(value);
  if (value === 0) return "$0";
  return value < 0.1 ? `$${value.toPrecision(3)}` : `$${value.toFixed(2)}`;
}

/** Milliseconds as seconds: 1234 is `1.2 s`. */
export function seconds(value: Value): string {
  return typeof value === "number" ? `${(value / 1000).toFixed(1)} s` : String(value);
}

/** A stretch of time for people: `42s`, `3m 05s`, `2h 10m`. */
export function duration(totalSeconds: number): string {
  const whole = Math.round(totalSeconds);
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor((whole % 3600) / 60),
    whole % 60,
  ];
  if (hours > 0) return `${hours}h ${String(minutes).padStart(2, "0")}m`;
  if (minutes > 0) return `${minutes}m ${String(rest).padStart(2, "0")}s`;
  return `${rest}s`;
}
