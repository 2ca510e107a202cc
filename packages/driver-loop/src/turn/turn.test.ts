import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { scriptedModel } from "@mooring/scripted-model";
import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { heldPolicy, makePipe } from "../testing/test-host.ts";

test("a turn streams text and completes", async () => {
  const host = await openHost();
  const end = await host.turn("#say hello there");
  expect(end).toEqual({ type: "turn-complete", turnId: "trn_1", outcome: "completed", answered: ["inp_trn_1"] });
  expect(host.said).toBe("hello there");
  const types = host.chunks.map(({ type }) => type);
  expect(types).toEqual(["start-step", "text-start", "text-delta", "text-delta", "text-end", "finish-step"]);
});

test("reasoning is shown before the answer", async () => {
  const host = await openHost();
  await host.turn("#think let me see\n#say done");
  const message = host.entries.at(-1);
  expect(message).toMatchObject({
    message: { parts: [{ type: "step-start" }, { type: "reasoning", text: "let me see" }, { type: "text" }] },
  });
});

test("tools run in a loop until the model is done", async () => {
  const host = await openHost();
  await host.turn("#write notes/a.txt one\\ntwo\n#read notes/a.txt\n#bash cat notes/a.txt\n#say all done");
  expect(host.results).toEqual(["Wrote 7 bytes to notes/a.txt.", "one\ntwo", "one\ntwo"]);
  expect(host.said).toBe("all done");
  expect(host.chunks.filter(({ type }) => type === "start-step")).toHaveLength(4);
  expect(await readFile(join(host.workspace, "notes/a.txt"), "utf8")).toBe("one\ntwo");
  expect(host.all("tool-timing")).toHaveLength(3);
});

test("calls of one step run side by side", async () => {
  const host = await openHost();
  makePipe(host, "pipe"); // neither command ends without the other
  const calls = ["echo met > pipe", "cat pipe"].map((command) => ({ name: "bash", input: { command } }));
  await host.turn(`#tools ${JSON.stringify(calls)}\n#say ok`);
  expect(host.results.toSorted()).toEqual(["[no output]", "met\n"]);
});

test("the policy hears of every call with its category and real paths", async () => {
  const host = await openHost();
  await host.turn("#write a.txt x\n#bash true\n#say ok");
  expect(host.calls).toMatchObject([
    { toolName: "write", category: "write", paths: [join(host.workspace, "a.txt")], turnId: "trn_1" },
    { toolName: "bash", category: "shell", paths: [], input: { command: "true" } },
  ]);
});

test("a call that the policy denies is not made, and the model is told why", async () => {
  const model = scriptedModel();
  const host = await openHost({
    models: { scripted: () => model },
    decide: async ({ toolName }) => (toolName === "write" ? { deny: "no writing in plan mode" } : "allow"),
  });
  const end = await host.turn("#write a.txt x\n#say ok");
  expect(end).toMatchObject({ outcome: "completed" });
  expect(host.entries.at(-1)).toMatchObject({
    message: { parts: [{}, { state: "output-denied", approval: { approved: false } }, {}, { text: "ok" }] },
  });
  expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ results: [{ text: "no writing in plan mode" }] });
  expect(host.all("tool-approval-request")).toEqual([]);
  await expect(readFile(join(host.workspace, "a.txt"))).rejects.toThrow();
});

test("a policy that fails is a denial", async () => {
  const host = await openHost({ decide: () => Promise.reject(new TypeError("the rules cannot be read")) });
  await host.turn("#bash touch made\n#say ok");
  const denied = host.chunks.find(({ type }) => type === "tool-approval-response");
  expect(denied).toMatchObject({ approved: false, reason: "the rules cannot be read" });
});

test("a call with a broken input fails and the turn goes on", async () => {
  const host = await openHost();
  const end = await host.turn("#malformed\n#say recovered");
  expect(end).toMatchObject({ outcome: "completed" });
  expect(host.said).toBe("recovered");
  expect(host.chunks.filter(({ type }) => type === "tool-input-error")).toHaveLength(1);
});

test("a disabled tool is not offered, and not run when it is disabled in the middle of a turn", async () => {
  const model = scriptedModel();
  const { decide, release } = heldPolicy();
  const host = await openHost({ models: { scripted: () => model }, disabledTools: ["write"], decide });
  await host.send("#bash true\n#read a.txt\n#say ok");
  await host.chunk("tool-input-available");
  const target = { model: "scripted", effort: null, permissionMode: "default", mcpServers: {} } as const;
  const prompt = { base: null, append: "" };
  await expect(host.connection.reconcile({ ...target, prompt, disabledTools: ["read", "write"] })).resolves.toBe(
    "patched",
  );
  release();
  await host.end();
  expect(model.requests[0]?.tools).toEqual(["read", "edit", "bash", "ls", "grep", "find"]);
  expect(model.requests[1]?.tools).toEqual(["edit", "bash", "ls", "grep", "find"]);
});

test("a call of a tool that was disabled after it was offered is refused", async () => {
  const host = await openHost({
    decide: async () => {
      await host.connection.reconcile({
        model: "scripted",
        effort: null,
        permissionMode: "default",
        mcpServers: {},
        prompt: { base: null, append: "" },
        disabledTools: ["bash"],
      });
      return "allow";
    },
  });
  await host.turn("#bash touch made\n#say ok");
  expect(host.results).toEqual(["error: The tool bash is disabled in this session."]);
});

test("each request reports its tokens, its times and the fullness of the window", async () => {
  const host = await openHost({ options: { contextWindow: 50_000 } });
  await host.turn("#usage 1200 34\n#bash true\n#usage 1300 5\n#say ok");
  const reports = host.all("usage").map(({ usage }) => usage);
  expect(reports.map(({ tokens }) => [tokens.input, tokens.output])).toEqual([
    [1200, 34],
    [1300, 5],
  ]);
  expect(new Set(reports.map(({ requestId }) => requestId)).size).toBe(2);
  expect(reports[0]).toMatchObject({ model: "scripted", cost: null, timing: { firstTokenMs: 0, totalMs: 0 } });
  expect(host.all("context-usage").at(-1)?.usage).toEqual({ used: 1305, window: 50_000 });
  expect(await host.connection.getContextUsage?.()).toEqual({ used: 1305, window: 50_000 });
});

test("the instructions are the host's base and what it appends", async () => {
  const model = scriptedModel();
  const host = await openHost({
    models: { scripted: () => model },
    prompt: { base: "Be a pirate.", append: "Say arr." },
  });
  await host.turn("#say arr");
  expect(model.requests[0]?.system).toBe("Be a pirate.\n\nSay arr.");
});

test("images go to the model, other files are named", async () => {
  const model = scriptedModel();
  const host = await openHost({ models: { scripted: () => model } });
  const pixel = "data:image/png;base64,iVBORw0KGgo=";
  await host.turn([
    { type: "text", text: "#say seen" },
    { type: "file", mediaType: "image/png", filename: "a.png", url: pixel },
    { type: "file", mediaType: "application/pdf", filename: "b.pdf", url: "data:application/pdf;base64,AAAA" },
  ]);
  expect(model.requests[0]?.prompt).toMatchObject([
    { role: "user", files: ["image/png"], text: expect.stringContaining("[Attached file: b.pdf (application/pdf)]") },
  ]);
});

test("later turns know the earlier ones", async () => {
  const model = scriptedModel();
  const host = await openHost({ models: { scripted: () => model } });
  await host.turn("#bash echo one\n#say first");
  await host.turn("#say second", "trn_2");
  expect(model.requests.at(-1)?.prompt.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
});

test("a second prompt during a turn is refused and disturbs nothing", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#say ok");
  const parts = [{ type: "text", text: "#say other" }] as const;
  const second = { turnId: "trn_2", inputId: "inp_2", agentKey: "key", parts, arrivedMidTurn: false, headless: false };
  await expect(host.connection.send(second)).rejects.toMatchObject({ code: "session-busy" });
  release();
  await host.end();
  expect(host.said).toBe("ok");
});

test("a history that cannot be read fails the turn", async () => {
  const host = await openHost({ history: () => Promise.reject(new TypeError("the store is closed")) });
  expect(await host.turn("#say hi")).toMatchObject({ type: "error", message: "the store is closed" });
});
