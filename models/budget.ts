import { RitbenchError } from "../core/errors.ts";
import type { ModelRole } from "../core/model.ts";
import { ModelError } from "../core/model-error.ts";

/** A limit on the money of some roles. */
export interface Cap {
  maxCostUsd: number;
  /** The roles it covers, named in every message about it. */
  roles: readonly ModelRole[];
}

/** Money by role, US dollars. */
export type RoleSpend = { readonly [role in ModelRole]?: number };

export interface Budget {
  covers(role: ModelRole): boolean;
  /** Counts money that the same run spent at an earlier start. */
  addEarlier(spend: RoleSpend): void;
  /**
   * Sets money aside for a call before it is made; waits while other calls in flight may still
   * release enough. Settle with what the call really cost.
   *
   * @throws ModelError budget when the cap is reached.
   */
  reserve(
    role: ModelRole,
    estimateUsd: number,
    signal: AbortSignal,
  ): Promise<(actualUsd: number) => void>;
}

interface Account {
  cap: Cap;
  spentUsd: number;
  reservedUsd: number;
}

/**
 * Caps by reservation: spent + reserved never exceeds a cap, so the end of a run lies below the cap
 * plus what calls in flight cost beyond their estimate.
 */
export function createBudget(caps: readonly Cap[]): Budget {
  const accounts: Account[] = caps.map((cap) => ({ cap, spentUsd: 0, reservedUsd: 0 }));
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const released = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(() => {
        signal.removeEventListener("abort", leave);
        resolve();
      });
    });

  return {
    addEarlier(spend) {
      for (const account of accounts) {
        for (const role of account.cap.roles) account.spentUsd += spend[role] ?? 0;
      }
    },
    covers: (role) => accounts.some(({ cap }) => cap.roles.includes(role)),
    async reserve(role, estimateUsd, signal) {
      const mine = accounts.filter(({ cap }) => cap.roles.includes(role));
      for (;;) {
        signal.throwIfAborted();
        const full = mine.find((a) => a.spentUsd + a.reservedUsd + estimateUsd > a.cap.maxCostUsd);
        if (full === undefined) break;
        const hopeless = full.spentUsd + estimateUsd > full.cap.maxCostUsd;
        if (hopeless || full.reservedUsd === 0) throw capReached(full, estimateUsd);
        await released(signal);
      }
      for (const account of mine) account.reservedUsd += estimateUsd;
      return (actualUsd) => {
        for (const account of mine) {
          account.reservedUsd = Math.max(0, account.reservedUsd - estimateUsd);
          account.spentUsd += actualUsd;
        }
        wake();
      };
    },
  };
}

function capReached({ cap, spentUsd }: Account, estimateUsd: number): ModelError {
  return new ModelError(
    "budget",
    `the cost cap of ${usd(cap.maxCostUsd)} for ${cap.roles.join(" and ")} calls is reached`,
    {
      got: `${usd(spentUsd)} spent, the next call may cost ${usd(estimateUsd)}`,
      next: "run the same command with a higher cap to go on from here",
    },
  );
}

/** A cap cannot hold back a model whose price nobody knows. */
export function priceUnknown(model: string, role: ModelRole): RitbenchError {
  return new RitbenchError(
    "E_PRICE_UNKNOWN",
    `the price of ${model} is unknown, so a cost cap on ${role} calls cannot hold`,
    {
      where: model,
      expected:
        "a price in configs/models.yaml, or in your own models.yaml (same layout) in the home folder (RITBENCH_HOME, else .ritbench)",
      next: "add an entry with price.inputUsdPerMTok and price.outputUsdPerMTok there, or run without --max-cost-usd",
    },
  );
}

function usd(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
