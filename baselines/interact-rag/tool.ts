import { z } from "zod";
import { canonicalJson } from "../../core/json.ts";
import type { MethodContext } from "../../core/method.ts";
import { type AgentTool, defineTool, toolError } from "../../pipelines/agent-loop/index.ts";
import { type Passage, passageOf, passagesThatFit } from "../../pipelines/passages/index.ts";
import { type InteractRagParameters, mostPassages } from "./config.ts";
import { toolDescription } from "./prompts.ts";
import { documentIndexes, type InteractSearch, interactSearch } from "./search.ts";

const weight = z.number().describe("0 or more");

function schemaOf(parameters: InteractRagParameters) {
  const most = mostPassages(parameters);
  return z
    .object({
      semantic_query: z
        .string()
        .optional()
        .describe(
          "one fact, put as a short statement or question; never several facts in one query",
        ),
      exact_keywords: z
        .array(z.string())
        .optional()
        .describe("rare words, names, codes or figures as the text has them"),
      weights: z
        .object({ semantic: weight, exact: weight })
        .optional()
        .describe("how much each counts where semantic_query and exact_keywords are both given"),
      entity: z
        .string()
        .optional()
        .describe("only passages that name this: product, company, person, period"),
      include_docs: z
        .array(z.string())
        .optional()
        .describe(
          parameters.includeMode === "pin"
            ? "doc_ids of earlier results: each keeps a place among the passages"
            : "doc_ids of earlier results: search in these documents alone",
        ),
      exclude_docs: z
        .array(z.string())
        .optional()
        .describe("doc_ids of earlier results: leave these documents out"),
      n: z
        .int()
        .min(1)
        .max(most)
        .optional()
        .describe(`passages wanted, 1 to ${most}; ${parameters.k} where absent`),
    })
    .refine((args) => Object.values(queriesOf(args)).some((query) => query !== undefined), {
      error: "give at least one of semantic_query, exact_keywords and entity",
    });
}

interface Queries {
  semantic_query?: string | undefined;
  exact_keywords?: readonly string[] | undefined;
  entity?: string | undefined;
}

/** The composable search for one question; it remembers this question's searches and nothing else. */
export function interactTool(context: MethodContext, parameters: InteractRagParameters): AgentTool {
  const made = new Set<string>();
  return defineTool({
    name: "interact_search",
    description: toolDescription,
    schema: schemaOf(parameters),
    async run(args, { roomTokens }) {
      const include = documentIndexes(context, distinct(args.include_docs));
      const exclude = documentIndexes(context, distinct(args.exclude_docs));
      const search: InteractSearch = {
        ...queriesOf(args),
        ...(args.weights === undefined ? {} : { weights: args.weights }),
        ...(args.include_docs?.length ? { include: include.known } : {}),
        exclude: exclude.known,
        includeMode: parameters.includeMode,
        n: args.n ?? parameters.k,
      };
      const unknown = [...include.unknown, ...exclude.unknown];
      if (search.include?.length === 0) {
        return {
          content: toolError(
            "unknown_documents",
            "none of include_docs is a document of the collection",
            "copy doc_id from an earlier result, or leave include_docs out",
          ),
          refused: "unknown_documents",
        };
      }
      const key = canonicalJson(search);
      if (made.has(key)) {
        return {
          content: toolError(
            "duplicate_call",
            "this very search was made before; its result stands above and would be the same",
            "change what you search for, or answer from what you have read",
          ),
          refused: "duplicate_call",
        };
      }
      made.add(key);
      const { ranked, anchorMissed } = await interactSearch(context, search);
      const found = ranked.map(({ chunk, score }, index) =>
        passageOf(context, { chunk, score, rank: index + 1 }),
      );
      const { kept, droppedTokens } = passagesThatFit(found, passageJson, roomTokens);
      const notices = [
        ...(found.length === 0 ? ["no passage fits this search; change or drop a condition"] : []),
        ...(anchorMissed
          ? [`no passage names ${JSON.stringify(search.entity)}: these are unanchored`]
          : []),
        ...(unknown.length === 0 ? [] : [`no document has the id ${unknown.join(", ")}`]),
        ...(droppedTokens === 0
          ? []
          : [`the context window is nearly full: the best ${kept.length} of ${found.length}`]),
      ];
      const head = JSON.stringify({
        ...(notices.length === 0 ? {} : { notice: notices.join("; ") }),
        ...(anchorMissed ? { anchor_missed: true } : {}),
      }).slice(0, -1);
      return {
        reads: kept.map(({ item }) => item),
        content: `${head}${head === "{" ? "" : ","}"passages":[${kept.map(passageJson).join(",")}]}`,
        droppedTokens,
      };
    },
  });
}

/** What is searched for; blank texts count as absent. */
function queriesOf({ semantic_query: semantic, exact_keywords: keywords, entity }: Queries) {
  const semanticQuery = textOf(semantic);
  const exactKeywords = textOf(keywords?.join(" "));
  const named = textOf(entity);
  return {
    ...(semanticQuery === undefined ? {} : { semanticQuery }),
    ...(exactKeywords === undefined ? {} : { exactKeywords }),
    ...(named === undefined ? {} : { entity: named }),
  };
}

function textOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

function distinct(ids: readonly string[] | undefined): string[] {
  return [...new Set(ids?.map((id) => id.trim()))];
}

function passageJson({ item, hit, heading, text }: Passage): string {
  const score = Math.round(hit.score * 1e4) / 1e4;
  return JSON.stringify({ id: item.id, doc_id: item.documentId, title: heading, score, text });
}
