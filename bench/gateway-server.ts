// The loopback model server in a process of its own, so that its work is not counted as ours.
import { startLoopbackModels } from "../tests/support/loopback-models.ts";

const server = await startLoopbackModels();
// A conversation with tools gets one tool call, then its answer.
server.answer(({ body }) => {
  const wantsTool = body.tools !== undefined && !JSON.stringify(body).includes("bench-result");
  return wantsTool
    ? { text: "Reading.", toolCalls: [{ name: "read", arguments: { ids: ["n1"] } }] }
    : { text: "<reasoning>r</reasoning><answer>42</answer><sources>n1</sources>" };
});
process.send?.(server.url);
process.on("disconnect", () => process.exit(0));
