/** What each child does until it is killed. Side lines are unique, so that a tool that ran twice shows. */
import type { Phase } from "../order.ts";
import { type Client, isChunk } from "./client.ts";

const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}`).join(" ");

/** Ends by itself after half a minute, should nobody end it. */
const longTool = "echo side_tool >> side.log; echo $$ >> pids; for i in $(seq 600); do sleep 0.05; done";

async function offerSteer(client: Client): Promise<void> {
  await client.submit("inp_main", `#slow 15 ${words(400)}`);
  await client.until(isChunk("text-delta"));
  await client.submit("inp_follow", "#say later", { delivery: "queue" });
  await client.submit("inp_steer", "#say hurry", { delivery: "steer" });
}

export const scenarios: { readonly [P in Exclude<Phase, "migration" | "fold">]: (client: Client) => Promise<void> } = {
  start: (client) => client.submit("inp_start", `#slow 5 ${words(20)}`),
  tool: (client) => client.submit("inp_tool", `#bash ${longTool}`),
  steer: offerSteer,
  recovery: offerSteer,
  async roll(client) {
    await client.submit("inp_main", "#bash echo side_roll >> side.log; sleep 0.1");
    await client.until(isChunk("tool-input-available"));
    await client.submit("inp_steer", `#slow 8 ${words(20)}`, { delivery: "steer" });
  },
  async settle(client) {
    await client.submit("inp_main", `#slow 12 ${words(8)} END`);
    await client.submit("inp_follow", "#bash echo side_follow >> side.log", { delivery: "queue" });
  },
  async answer(client) {
    await client.submit("inp_ask", "#bash echo side_ask >> side.log; sleep 0.05");
    await client.until((event) => event.type === "approval.requested");
    await client.allow();
  },
  approval: (client) => client.submit("inp_ask", "#bash echo side_ask >> side.log"),
};
