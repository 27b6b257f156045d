import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { extractionOutput, readQueryTerms, readSegments } from "./extract.ts";

const record = (...fields: (string | number)[]) =>
  `("${fields[0]}"<|>${fields.slice(1).join("<|>")})`;
const relation = (text: string, score: number | string = 7) =>
  record("hyper-relation", text, score);
const entity = (name: string, score: number | string = 80) =>
  record("entity", name, "thing", `about ${name}`, score);
const names = (output: string) =>
  readSegments(output).map(({ text, entities }) => [text, entities.map(({ name }) => name)]);

describe("records of a chunk", () => {
  test("entities belong to the statement before them; those before any are dropped", () => {
    const output = [
      entity("early"),
      relation("S1"),
      entity("a"),
      entity("b"),
      relation("S2"),
      entity("c"),
    ];
    expect(names(`${output.join("##\n")}\n<|COMPLETE|>`)).toEqual([
      ["S1", ["A", "B"]],
      ["S2", ["C"]],
    ]);
  });

  test("names and types are in upper case, quotes go, scores have their defaults", () => {
    const output = `${relation("S", "whole")}##("entity"<|>"Alex"<|>"person"<|>works<|>much)##(entity<|>Bo<|>person<|>rests<|>9.5)`;
    expect(readSegments(output)).toEqual([
      {
        text: "S",
        score: 1,
        entities: [
          { name: "ALEX", type: "PERSON", description: "works", score: 50 },
          { name: "BO", type: "PERSON", description: "rests", score: 9.5 },
        ],
      },
    ]);
  });

  test("text glued to the end mark, and a record over several lines, are read", () => {
    const gleaned = `${relation("S1")}<|COMPLETE|>${relation("S2\nof two lines")}##\n${entity("a")}`;
    expect(names(gleaned)).toEqual([
      ["S1", []],
      ["S2 of two lines", ["A"]],
    ]);
  });

  test("records with too few fields or without a name are no records", () => {
    const output = [
      record("hyper-relation", "S0"),
      relation(""),
      relation("S"),
      record("entity", "a", "b", "c"),
      entity(""),
    ];
    expect(names(output.join("##"))).toEqual([["S", []]]);
  });
});

describe("calls of a chunk", () => {
  async function calls(script: Script, gleanings = 2) {
    const model = scriptedModel(script);
    const output = await extractionOutput("the text", gleanings, model);
    return { output, asked: model.requests.map(({ task }) => task.split(".")[1]), model };
  }
  const reply = (content: string) => ({ content });

  test("three where the model says no, four where it says yes, and the check leaves no trace", async () => {
    const no = await calls([reply("r0"), reply("r1"), reply("NO")]);
    expect(no.asked).toEqual(["extract", "glean", "more"]);
    expect(no.output).toBe("r0\nr1");
    const yes = await calls([reply("r0"), reply("r1"), reply(' "Yes" '), reply("r2")]);
    expect(yes.asked).toEqual(["extract", "glean", "more", "glean"]);
    expect(yes.output).toBe("r0\nr1\nr2");
    const last = yes.model.requests[3]!.messages;
    expect(last.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(last[0]!.content).toContain("Text: the text");
    expect(last.map(({ content }) => content)).not.toContain(' "Yes" ');
  });

  test.each(["yes, there is more", "Y", "", "no"])("%j is not a yes", async (said) => {
    const { asked } = await calls([reply("r0"), reply("r1"), reply(said)]);
    expect(asked).toHaveLength(3);
  });

  test("rounds are as many as asked for", async () => {
    expect((await calls([reply("r0")], 0)).asked).toEqual(["extract"]);
    expect((await calls([reply("r0"), reply("r1")], 1)).asked).toEqual(["extract", "glean"]);
  });

  test("an empty reply ends the conversation, which could not go on with it", async () => {
    expect(await calls([reply(" ")])).toMatchObject({ output: "", asked: ["extract"] });
    expect(await calls([reply("r0"), reply("")])).toMatchObject({ output: "r0" });
  });
});

test("a question's records have to have exactly their fields", () => {
  const output = [
    entity("first"),
    relation("S1"),
    record("hyper-relation", "S2", 7, "more"),
    record("entity", "short", "type", "description"),
    record("entity", "long", "type", "description", 5, "more"),
    entity("second"),
  ];
  expect(readQueryTerms(output.join("##"))).toEqual({
    statements: ["S1"],
    names: ["FIRST", "SECOND"],
  });
});
