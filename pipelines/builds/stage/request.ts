import type { ChatModel } from "../../../core/model.ts";
import type { RunProgress } from "../../run/progress.ts";
import type { BuildWhat } from "./what.ts";

/** What a build is made of, one piece at a time: a node, a chunk, a document. */
export interface BuildUnit {
  /** Unique within the build and the same at every start. */
  key: string;
  /** Characters of the text: what a forecast extrapolates by. */
  size: number;
  /** The text, read only where a unit gave no record. */
  text(): string;
}

/** How a build is run, whatever it makes. */
export type BuildRun = Pick<
  BuildRequest<BuildUnit, unknown>,
  "concurrency" | "signal" | "onProgress" | "onWaiting" | "retryFailed" | "only"
>;

/** What `process` makes of a unit; `value` is JSON. */
export interface UnitResult<R> {
  value: R;
  /** How many records `value` holds; none from a text of 50 tokens or more counts as a failure. */
  records: number;
}

export interface UnitContext {
  /** The build's model; its replies to this unit survive a kill. */
  model: ChatModel;
  signal: AbortSignal;
}

export interface BuildRequest<U extends BuildUnit, R> {
  /** Folder of this build alone: `buildFolder(home, what)`, or a folder that a method was given. */
  folder: string;
  what: BuildWhat;
  model: ChatModel;
  /** All units in an order of their own, afresh at each call. */
  units: () => Iterable<U> | AsyncIterable<U>;
  total: number;
  /** What one unit is called: `node`, `chunk`, `document`. */
  unit: string;
  /**
   * Makes a unit's result. A `ModelError` or a `RitbenchError` that it throws fails the unit; any other error is a
   * programming fault and ends the build.
   */
  process(unit: U, context: UnitContext): Promise<UnitResult<R>>;
  /** Units under way at once. */
  concurrency: number;
  signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
  /** Another process builds the same: told once who. */
  onWaiting?(holder: string): void;
  /** Process the units that failed earlier again; their old records stand until the new ones are better. */
  retryFailed?: boolean;
  /** Only these units (a forecast's sample). */
  only?: ReadonlySet<string>;
  /** Milliseconds on a clock that does not run backwards. */
  now?: () => number;
  date?: () => Date;
}
