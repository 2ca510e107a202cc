/** Checks of the program's own tools: what is given by `ConnectInput.ownTools`. */
import type { OwnTool, OwnToolResult, PolicyDecision } from "../../../ports/driver.ts";
import { checksOf } from "../check.ts";
import type { ContractScene } from "../scene.ts";
import { completed } from "./play.ts";

const input = { word: "mooring" };

/** A turn that calls the program's one tool; the inputs it ran with. */
async function called(scene: ContractScene, decision: PolicyDecision, result: OwnToolResult) {
  const ran: unknown[] = [];
  const tool: OwnTool = {
    name: "own_tool",
    description: "Takes a word.",
    category: "other",
    inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    parse: (given) => ({ input: given }),
    run: async (call) => {
      ran.push(call.input);
      return result;
    },
  };
  scene.decide = async () => decision;
  const link = await scene.connect({ ownTools: () => [tool] });
  const sent = await link.send(scene.scenario("ownTool")(tool.name, input).prompt);
  await completed(scene, link, sent);
  return { link, sent, ran };
}

export const ownToolChecks = checksOf({
  "tools/own": async (scene) => {
    const allowed = await called(scene, "allow", { text: "own-result" });
    scene.must(JSON.stringify(allowed.ran) === JSON.stringify([input]), `it ran with ${JSON.stringify(allowed.ran)}`);
    scene.must(scene.calls.at(-1)?.toolName === "own_tool", "the policy was not asked about it");
    const outputs = allowed.link.chunks(allowed.sent.turnId, "tool-output-available").map(({ output }) => output);
    scene.must(JSON.stringify(outputs).includes("own-result"), `its result was told as ${JSON.stringify(outputs)}`);
    scene.must((await scene.timesTold("own-result")) > 0, "the model was not told its result");
    const denied = await called(scene, { deny: "Not today." }, { text: "never" });
    scene.must(denied.ran.length === 0, "a denied call ran");
  },

  "tools/own-ends": async (scene) => {
    const { link, sent } = await called(scene, "allow", { text: "own-result", terminate: true });
    scene.must((await scene.timesTold("own-result")) === 0, "the model was asked again");
    scene.must(link.said(sent.turnId) === "", `the agent said "${link.said(sent.turnId)}"`);
  },
});
