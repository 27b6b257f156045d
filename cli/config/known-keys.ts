import { z } from "zod";

interface SchemaNode {
  properties?: { [key: string]: SchemaNode };
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  additionalProperties?: SchemaNode | boolean;
}

/** Names of the fields that a schema allows at a path, for "expected one of" and "did you mean". */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let nodes: SchemaNode[] = [
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as SchemaNode,
  ];
  for (const key of path) {
    nodes = nodes.flatMap(alternatives).flatMap((node) => {
      if (typeof key === "number") return node.items ?? [];
      const open = typeof node.additionalProperties === "object" ? node.additionalProperties : [];
      return node.properties?.[String(key)] ?? open;
    });
  }
  return nodes.flatMap(alternatives).flatMap((node) => Object.keys(node.properties ?? {}));
}

function alternatives(node: SchemaNode): SchemaNode[] {
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap(alternatives);
}
