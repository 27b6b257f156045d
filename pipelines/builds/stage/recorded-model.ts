import { RitbenchError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/fingerprint.ts";
import { canonicalJson } from "../../../core/json.ts";
import type { ChatModel, ModelRequest } from "../../../core/model.ts";
import { ModelError, type ModelErrorKind } from "../../../core/model-error.ts";
import type { UnitStore } from "./unit-store.ts";

/** Failures after which going on makes no sense: they are no fault of the unit and would meet every other one too. */
const systemic: readonly ModelErrorKind[] = ["budget", "aborted", "auth", "quota", "missing_reply"];

/**
 * Whether an error of a model call ends the build instead of failing one unit. A `process` function that degrades on
 * failed calls throws these on.
 */
export function endsBuild(error: unknown): boolean {
  if (error instanceof ModelError) return systemic.includes(error.kind);
  return !(error instanceof RitbenchError && error.code === "E_REPLY_JSON");
}

/**
 * A model that stores each reply before it hands it out, and gives stored replies to a unit that is processed again
 * after a kill. Equal requests of one unit are told apart by their number, so that a second try is a second call.
 *
 * @param ended told of the first error that ends the build, whatever the unit makes of it
 */
export function recordedModel(
  model: ChatModel,
  unit: string,
  store: UnitStore,
  signal: AbortSignal,
  ended: (error: unknown) => void,
): ChatModel {
  const asked = new Map<string, number>();
  return {
    id: model.id,
    fingerprint: model.fingerprint,
    contextTokens: model.contextTokens,
    offline: model.offline,
    async call(request) {
      const hash = requestHash(request);
      const number = asked.get(hash) ?? 0;
      asked.set(hash, number + 1);
      const id = `${hash}/${number}`;
      const stored = store.call(unit, id);
      if (stored !== undefined && "reply" in stored) return stored.reply;
      try {
        signal.throwIfAborted();
        const reply = await model.call({ ...request, signal });
        store.putCall(unit, id, { reply });
        return reply;
      } catch (error) {
        // A second try takes the number of the failed one, so that a later start finds its reply under it.
        if (asked.get(hash) === number + 1) asked.set(hash, number);
        if (signal.aborted || endsBuild(error)) ended(error);
        else if (error instanceof ModelError) {
          const { usage } = error;
          store.putCall(unit, `${id}!${failureNumber(store, unit, id)}`, {
            failed: true,
            ...(usage !== undefined && { usage }),
          });
        }
        throw error;
      }
    },
  };
}

function failureNumber(store: UnitStore, unit: string, id: string): number {
  let number = 0;
  while (store.call(unit, `${id}!${number}`) !== undefined) number++;
  return number;
}

/** Hints only repeat what the messages say. */
function requestHash({ signal: _, cacheable: __, hints: ___, ...request }: ModelRequest): string {
  return sha256(canonicalJson(request)).slice(0, 32);
}
