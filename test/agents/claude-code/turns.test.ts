import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess({
  decide: async ({ toolName }) => (toolName === "Bash" ? "allow" : { deny: "not here" }),
});

test("a turn says its text in parts, with the reasoning before it", async () => {
  const { link } = at;
  const sent = await link.send("#think let me see\n#say hello there");
  expect(await link.end(sent.turnId)).toMatchObject({
    type: "turn-complete",
    outcome: "completed",
    answered: [sent.inputId],
    anchor: expect.any(String),
  });
  expect(link.said(sent.turnId)).toBe("hello there");
  expect(link.chunks(sent.turnId).map(({ type }) => type)).toEqual([
    "start-step",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-delta",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-delta",
    "text-end",
    "finish-step",
  ]);
  expect(link.token).toMatch(/^[0-9a-f-]{36}$/);
});

test("a tool call is shown with input, output and the time it took; the policy was asked with its paths", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#bash echo made > made.txt; cat made.txt\n#say done here");
  await link.end(turnId);
  expect(await readFile(join(desk.workspace, "made.txt"), "utf8")).toBe("made\n");
  const chunks = link.chunks(turnId);
  expect(chunks.find(({ type }) => type === "tool-input-available")).toMatchObject({ toolName: "Bash" });
  expect(chunks.find(({ type }) => type === "tool-output-available")).toMatchObject({
    output: "made",
    providerMetadata: { "claude-code": { result: { stdout: "made" } } },
  });
  expect(link.all("tool-timing").at(-1)).toMatchObject({ durationMs: expect.any(Number) });
  expect(desk.calls.at(-1)).toMatchObject({ toolName: "Bash", category: "shell", paths: [], turnId });
});

test("what the policy denies does not run, and the agent goes on", async () => {
  const { desk, link } = at;
  const { turnId } = await link.send("#write denied.txt no\n#say went on");
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(desk.calls.at(-1)).toMatchObject({ category: "write", paths: [join(desk.workspace, "denied.txt")] });
  expect(existsSync(join(desk.workspace, "denied.txt"))).toBe(false);
  expect(link.chunks(turnId).map(({ type }) => type)).toContain("tool-output-denied");
  expect(link.said(turnId)).toBe("went on");
});
