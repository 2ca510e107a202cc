import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewAgent } from "@mooring/host";
import { afterAll, expect } from "vitest";
import { realTest as test } from "./real-test.ts";
import { Sitting } from "./sitting.ts";

const sittings: Sitting[] = [];
afterAll(async () => {
  for (const sitting of sittings) await sitting.dispose();
});
async function sit(agent: Partial<NewAgent>): Promise<Sitting> {
  const sitting = await Sitting.open(agent);
  sittings.push(sitting);
  return sitting;
}

test("a session: steers, an approval, a compaction, and work behind a turn", async () => {
  const rules = [{ effect: "allow", tool: "Bash", pattern: "*free*" }] as const;
  const sitting = await sit({ permissionMode: "acceptEdits", rules });
  const { host, id, reader } = sitting;
  expect(await sitting.turn("#say marker-1")).toMatchObject({ outcome: "completed" });

  // Two steers into a running tool: the message rolls once, and they follow in their order.
  const tool = sitting.pipe("free-1");
  await host.submit(id, { text: "#bash cat free-1\n#say marker-2" });
  const steered = await reader.until("turn.started", 2);
  await sitting.chunk("tool-input-available");
  for (const text of ["marker-3", "marker-4"]) {
    expect(await host.submit(id, { text })).toMatchObject({ disposition: "offered", turnId: steered.turnId });
  }
  await tool.write();
  expect(await reader.until("turn.settled", 2)).toMatchObject({ turnId: steered.turnId, outcome: "completed" });

  // An approval, answered while no process is there.
  await host.submit(id, { text: "#bash echo ran >> side.log\n#say marker-5" });
  const asked = await reader.until("approval.requested");
  expect(asked).toMatchObject({ toolName: "Bash", durable: true });
  await reader.until("turn.waiting");
  await host.answer(asked.approvalId, { decision: "allow" });
  expect(await reader.until("turn.settled", 3)).toMatchObject({ outcome: "completed" });

  await host.compact(id);
  await reader.until("compaction", 2);
  expect(reader.of("compaction").map(({ state }) => state)).toEqual(["started", "completed"]);

  // Work behind a turn ends after it: the agent speaks again in a turn of its own.
  const behind = sitting.pipe("free-2");
  const call = { command: "cat free-2", description: "d", run_in_background: true };
  expect(await sitting.turn(`#tool Bash ${JSON.stringify(call)}\n#say marker-6`)).toMatchObject({
    outcome: "completed",
  });
  await behind.write();
  expect(await reader.until("turn.started", 5)).toMatchObject({ origin: "agent" });
  expect(await reader.until("turn.settled", 5)).toMatchObject({ outcome: "completed" });

  expect(await sitting.turn("#say marker-7")).toMatchObject({ outcome: "completed" });
  expect(await readFile(join(sitting.workspace, "side.log"), "utf8")).toBe("ran\n");
  const { messages } = await host.messages(id);
  expect(messages.filter(({ status }) => status === "open")).toEqual([]);
  // What came after the compaction stands once each, in the stored order.
  expect(sitting.lastRequest.match(/#say marker-[67]/g)).toEqual(["#say marker-6", "#say marker-7"]);
});

test("the agent dies in a tool: the turn ends visibly, nothing runs again, and the next turn goes on from it", async () => {
  const sitting = await sit({ permissionMode: "bypassPermissions" });
  const { host, id, reader } = sitting;
  await sitting.turn("#say marker-1");
  const gate = sitting.pipe("free-gate");
  await host.submit(id, { text: "#bash echo ran >> free.log; cat free-gate\n#say never" });
  const held = await gate.hold();
  await sitting.killAgent();
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "failed", error: { code: "driver-ended" } });
  await held.close();
  expect(await sitting.turn("#bash cat free.log\n#say marker-2")).toMatchObject({ outcome: "completed" });
  expect(await readFile(join(sitting.workspace, "free.log"), "utf8")).toBe("ran\n");
  expect(sitting.lastRequest).toContain("#say marker-1");
  const { messages } = await host.messages(id);
  expect(messages.filter(({ status }) => status === "open")).toEqual([]);
});
