/** Faults of the line between the driver and the real binary that the contract suite does not play. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentRuntimeEvent } from "@mooring/host/driver";
import { WireTap } from "@mooring/host/testing";
import { expect } from "vitest";
import { twice } from "../../../packages/host/src/testing/contract/wire/faults.ts";
import { oneDesk, realTest as test } from "./real-test.ts";

type Asked = Extract<AgentRuntimeEvent, { type: "tool-approval-request" }>;
const place = oneDesk();
const echo = (word: string) => ({ name: "Bash", input: { command: `echo ${word} >> ran.log`, description: "a step" } });

test("everything the agent says twice, its questions too: each call is decided, asked and run once", async () => {
  const { desk } = place;
  const tap = new WireTap();
  tap.arm(twice);
  desk.tamper = (child) => tap.wrap(child);
  const link = await desk.connect({ decide: async () => "ask" });
  const { turnId } = await link.send(`#tools ${JSON.stringify([echo("one"), echo("two")])}\n#say done`);
  const asked = new Set<string>();
  while (asked.size < 2) {
    const isNew = (event: AgentRuntimeEvent): event is Asked =>
      event.type === "tool-approval-request" && !asked.has(event.approvalId);
    const { approvalId } = await link.find(isNew);
    asked.add(approvalId);
    await link.connection.answerApproval(approvalId, { decision: "allow" });
  }
  await link.end(turnId);
  expect(link.all("tool-approval-request")).toHaveLength(2);
  expect(desk.calls).toHaveLength(2);
  expect(link.all("turn-complete")).toHaveLength(1);
  expect(await readFile(join(desk.workspace, "ran.log"), "utf8")).toBe("one\ntwo\n");
});
