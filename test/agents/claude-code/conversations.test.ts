import { systemIds } from "@mooring/host";
import type { HistoryEntry } from "@mooring/host/driver";
import { expect } from "vitest";
import { oneDesk, realTest as test } from "./real-test.ts";

const at = oneDesk();
const answered: readonly HistoryEntry[] = [
  { kind: "message", message: { id: "msg_1", role: "assistant", parts: [{ type: "text", text: "answered" }] } },
];

test("a conversation goes on from its token, in a new process", async () => {
  const { desk } = at;
  const before = await desk.connect({ prompt: { base: null, append: "marker-instructions" } });
  await before.turn("#say first answer marker-old");
  await before.connection.close("idle");
  expect(desk.server.requests.at(-1)?.system).toContain("marker-instructions");
  const after = await desk.connect({ resumeToken: before.token, history: async () => answered });
  const { turnId } = await after.send("#say second answer");
  await after.end(turnId);
  expect(after.said(turnId)).toBe("second answer");
  expect(after.token).toBe(before.token);
  expect(desk.lastRequest).toContain("marker-old");
  await after.connection.close("idle");
});

test("a fork goes on from its anchor, and neither branch hears of the other", async () => {
  const { desk } = at;
  const trunk = await desk.connect();
  const first = await trunk.turn("#say marker-trunk-one");
  await trunk.turn("#say marker-trunk-two");
  const anchor = first.type === "turn-complete" ? (first.anchor ?? "") : "";
  const facts = desk.input({ resumeToken: trunk.token }).session;
  const forked = await desk.driver.fork?.({ session: facts, token: trunk.token ?? "", anchor, home: desk.home });
  const branch = await desk.connect({ resumeToken: forked?.token ?? null, history: async () => answered });
  await branch.turn("#say marker-branch");
  expect(desk.lastRequest).toContain("marker-trunk-one");
  expect(desk.lastRequest).not.toContain("marker-trunk-two");
  expect(branch.token).not.toBe(trunk.token);
  await branch.connection.close("idle");
  const again = await desk.connect({ resumeToken: branch.token, history: async () => answered });
  await again.turn("#say on");
  expect(desk.lastRequest).toContain("marker-branch");
  await trunk.turn("#say on the trunk");
  expect(desk.lastRequest).not.toContain("marker-branch");
  await again.connection.close("idle");
  await trunk.connection.close("idle");
});

test("a lost conversation is refused; one in which nothing was answered begins again under its name", async () => {
  const { desk } = at;
  const resumeToken = systemIds.uuid();
  await expect(desk.connect({ resumeToken, history: async () => answered })).rejects.toMatchObject({
    code: "resume-failed",
    detail: { why: "missing" },
  });
  await expect(desk.connect({ resumeToken: "no token" })).rejects.toMatchObject({ code: "resume-failed" });
  const said = { id: "msg_0", role: "user", parts: [{ type: "text", text: "begin" }] } as const;
  const unanswered: readonly HistoryEntry[] = [{ kind: "message", message: { ...said, parts: [...said.parts] } }];
  const again = await desk.connect({ resumeToken, history: async () => unanswered });
  expect(await again.turn("#say begun")).toMatchObject({ outcome: "completed" });
  expect(again.token).toBe(resumeToken);
  await again.connection.close("idle");
});

test("the death of the process ends the events; the conversation is taken up, and nothing runs again", async () => {
  const { desk } = at;
  const before = await desk.connect();
  const dies = desk.pipe("dies");
  const { turnId, agentKey } = await before.send("#bash echo ran >> side.log; cat dies\n#say never");
  const held = await dies.hold();
  await desk.kill();
  await before.over;
  await held.close();
  expect(before.all("turn-complete")).toEqual([]);
  const after = await desk.connect({ resumeToken: before.token, history: async () => answered });
  const known = await after.send("#say never", { agentKey });
  expect(await after.end(known.turnId)).toMatchObject({ type: "error", code: "input-known" });
  const next = await after.send("#bash cat side.log\n#say told");
  await after.end(next.turnId);
  expect(after.chunks(next.turnId).find(({ type }) => type === "tool-output-available")).toMatchObject({
    output: "ran",
  });
  expect(after.chunks(turnId)).toEqual([]);
  await after.connection.close("idle");
});
