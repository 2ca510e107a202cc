/** Tools of the program's own in a turn: what the model is offered, and how a result of theirs ends the turn. */
import type { OwnTool, OwnToolResult } from "@mooring/host/driver";
import { scriptedModel } from "@mooring/scripted-model";
import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { waitingFor } from "../testing/test-host.ts";

const inputSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const own = (run: OwnTool["run"], name = "note"): OwnTool => ({
  name,
  title: "Note",
  description: "Takes a word.",
  category: "other",
  inputSchema,
  parse: (input) => ({ input }),
  run,
});
const answers = (result: OwnToolResult, name?: string): OwnTool => own(async () => result, name);
const call = '#tool note {"word":"mooring"}\n#say on';

test("the model is offered it with its schema, and one that is gone by the next request is not offered again", async () => {
  const model = scriptedModel();
  let tools: readonly OwnTool[] = [];
  const takesAway = own(async () => {
    tools = [];
    return { text: "last" };
  });
  tools = [takesAway, answers({ text: "" }, "other")];
  const host = await openHost({ models: { scripted: () => model }, ownTools: () => tools });
  await host.send(call);
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  const offered = model.requests.map(({ tools: names = [] }) => names.slice(7)); // ours come first
  expect(offered).toEqual([["note", "other"], []]);
  expect(host.results).toEqual(["last"]);
  expect(host.calls).toMatchObject([{ toolName: "note", category: "other", paths: [], input: { word: "mooring" } }]);
});

test("one with the name of ours takes its place", async () => {
  const host = await openHost({ ownTools: () => [answers({ text: "not the disk" }, "read")] });
  await host.send('#tool read {"word":"x"}\n#say on');
  await host.end();
  expect(host.results).toEqual(["not the disk"]);
});

test("one that is gone when its question is answered is not run", async () => {
  let tools = [answers({ text: "never" })];
  const host = await openHost({ decide: async () => "ask", ownTools: () => tools });
  await host.send(call);
  const { approvalId } = await host.next("tool-approval-request");
  tools = [];
  await host.connection.answerApproval(approvalId, { decision: "allow" });
  await host.end();
  expect(host.results).toEqual(["error: The tool note is not there any more."]);
});

test("a turn that waited for a person ends with the call when its result says so: no request is made", async () => {
  const ownTools = () => [answers({ text: "enough", terminate: true })];
  const after = await openHost({ decide: async () => "ask", ownTools });
  await after.send(call);
  await after.next("tool-approval-request");
  await after.keepOpen();
  await after.connection.close("waiting");
  const model = scriptedModel();
  const host = await openHost({ after, waiting: waitingFor(after), ownTools, models: { scripted: () => model } });
  const { approvalId } = await host.next("tool-approval-request");
  await host.connection.answerApproval(approvalId, { decision: "allow" });
  expect(await host.end()).toMatchObject({ type: "turn-complete", outcome: "completed" });
  expect([host.results, model.requests.length]).toEqual([["enough"], 0]);
});

test("a steer that came meanwhile is given back when a result ends the turn", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = own(async () => {
    begin();
    await released;
    return { text: "enough", terminate: true };
  });
  const host = await openHost({ ownTools: () => [held] });
  await host.send(call);
  await begun;
  expect(await host.steer("#say more", "inp_2")).toBe("offered");
  release();
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect([host.all("steer-undelivered").length, host.said]).toEqual([1, ""]);
});
