import { isObject, textField } from "../conversation.ts";
import type { Evidence } from "../extract.ts";
import { extractiveAnswer, type OfflineTask } from "../task.ts";

/** `vanilla.answer`: the passages come as hints, numbered from 1 as in the prompt. */
export const vanillaAnswer: OfflineTask = ({ hints }) => {
  const passages = hints?.passages;
  const evidence = (Array.isArray(passages) ? passages : []).filter(isObject).map(
    (passage, position): Evidence => ({
      id: String(position + 1),
      heading: textField(passage, "heading"),
      text: textField(passage, "text"),
    }),
  );
  return extractiveAnswer(String(hints?.question ?? ""), evidence);
};
