import type { IndexPartName } from "./index-parts.ts";

/** How far a part is. Texts that came from the vector cache count as done but not for the rate. */
export interface IndexProgress {
  part: IndexPartName;
  done: number;
  total: number;
  unit: "nodes" | "chunks" | "texts";
  /** Texts encoded a second, and seconds left at that rate; null before any is known. */
  ratePerSecond: number | null;
  etaSeconds: number | null;
  /** Set once while another process builds the part. */
  waitingFor?: string;
}

/** Progress of a part without a rate. */
export function plainProgress(
  part: IndexPartName,
  unit: IndexProgress["unit"],
  done: number,
  total: number,
): IndexProgress {
  return { part, unit, done, total, ratePerSecond: null, etaSeconds: null };
}
