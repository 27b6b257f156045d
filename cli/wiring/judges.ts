import type { ChatModel } from "../../core/model.ts";
import { createJudge } from "../../judges/registry.ts";
import type { Gateway } from "../../models/gateway.ts";
import type { PanelRule } from "../../pipelines/judging/panel.ts";
import type { JudgeSeat } from "../../pipelines/judging/seat.ts";
import type { Config } from "../config/schema.ts";

const LEXICAL = "offline:lexical";

/** Models that the judges of a config call. */
export function judgeModels({ judge }: Pick<Config, "judge">): string[] {
  if (typeof judge === "string") return judge === LEXICAL ? [] : [judge];
  return judge.models.filter((model) => model !== LEXICAL);
}

/** Judges of a config: who gives the verdict first, then the scorers; `panel` where several vote. */
export function judgeSeats(
  config: Pick<Config, "judge" | "scorers">,
  gateway: Gateway,
): { seats: JudgeSeat[]; panel?: PanelRule } {
  const names = typeof config.judge === "string" ? [config.judge] : config.judge.models;
  const verdicts = names.map((name) => verdictSeat(name, gateway, names.length > 1));
  const first = verdicts.find(({ model }) => model !== undefined)?.model;
  const scorers = config.scorers.map((name) => scorerSeat(name, first));
  const seats = [...verdicts, ...scorers];
  if (typeof config.judge === "string" || config.judge.models.length === 1) return { seats };
  return { seats, panel: config.judge.vote };
}

function verdictSeat(name: string, gateway: Gateway, several: boolean): JudgeSeat {
  if (name === LEXICAL) return { judge: createJudge(LEXICAL) };
  const model = gateway.model({ id: name, role: "judge", repeat: 0, sampling: { temperature: 0 } });
  const judge = createJudge("binary");
  return several ? { judge, model, name: `binary:${name}` } : { judge, model };
}

/** Scorers that ask a model use the first judge model. */
function scorerSeat(name: string, model: ChatModel | undefined): JudgeSeat {
  const judge = createJudge(name);
  const seat = { judge, votes: false };
  return judge.needsModel && model !== undefined ? { ...seat, model } : seat;
}
