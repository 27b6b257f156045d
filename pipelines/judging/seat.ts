import { RitbenchError } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { Judge } from "../../core/judge.ts";
import type { ChatModel } from "../../core/model.ts";

/** A judge with the model it asks. */
export interface JudgeSeat {
  judge: Judge;
  /** Absent for judges that call no model. */
  model?: ChatModel;
  /** Name its judgements are stored under; default the judge's own. Seats of one pass need different names. */
  name?: string;
  /** Whether it has a vote in a panel; default true. Scorers have none. */
  votes?: boolean;
}

/** A seat with its name and what makes its judgements comparable. */
export interface NamedSeat {
  judge: Judge;
  model: ChatModel | undefined;
  name: string;
  fingerprint: Fingerprint;
  votes: boolean;
}

/**
 * @throws RitbenchError E_JUDGE_MODEL for a seat without the model it needs, E_JUDGE_TWICE for two of one name.
 */
export function nameSeats(seats: readonly JudgeSeat[]): NamedSeat[] {
  const named = seats.map(({ judge, model, name, votes = true }): NamedSeat => {
    if (judge.needsModel && model === undefined) {
      throw new RitbenchError("E_JUDGE_MODEL", `the judge ${judge.name} needs a judge model`, {
        next: "name one with --judge, or use offline:lexical",
      });
    }
    return {
      judge,
      model,
      name: name ?? judge.name,
      votes,
      fingerprint: fingerprint({
        judge: judge.fingerprint,
        model: judge.needsModel ? model!.fingerprint : null,
      }),
    };
  });
  const names = named.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new RitbenchError("E_JUDGE_TWICE", `two judges are called ${twice}`, {
      next: "name each judge once",
    });
  }
  return named;
}
