/** A real MCP server behind the real agent: whose calls are decided as any other, and who waits for whom. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { NewAgent } from "@mooring/host";
import { NamedPipe } from "@mooring/host/testing";
import { expect, onTestFinished } from "vitest";
import { realTest as test } from "./real-test.ts";
import { Sitting } from "./sitting.ts";
import { written } from "./written.ts";

const secret = "a-secret-of-the-server";

type Notes = {
  readonly sitting: Sitting;
  readonly file: string;
  readonly gate: NamedPipe | null;
  /** What the tools of the server did. */
  calls(): Promise<readonly string[]>;
};
async function withNotes(agent: Partial<NewAgent>, { isGated = false, slowMs = 0 } = {}): Promise<Notes> {
  const directory = await mkdtemp(join(tmpdir(), "mooring-mcp-"));
  const [file, gate] = [join(directory, "notes"), isGated ? NamedPipe.make(join(directory, "gate")) : null];
  await writeFile(file, "");
  const env = { NOTES: file, TOKEN: secret, SLOW_MS: String(slowMs), ...(gate === null ? {} : { GATE: gate.path }) };
  const notes = { type: "stdio", command: process.execPath, args: [join(import.meta.dirname, "mcp-server.ts")], env };
  const sitting = await Sitting.open({ mcpServers: { notes }, permissionMode: "bypassPermissions", ...agent });
  onTestFinished(async () => {
    await sitting.dispose();
    await rm(directory, { recursive: true, force: true });
  });
  const calls = async () => (await readFile(file, "utf8")).split("\n").filter((line) => line.includes(" "));
  return { sitting, file, gate, calls };
}
const call = (tool: string, text: string): string =>
  `#tool mcp__notes__${tool} ${JSON.stringify({ text })}\n#say after ${text}`;
const commandLine = async (pid: number): Promise<string> =>
  (await promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", String(pid)])).stdout;

test("the rules hold for tools of a server; how it is started is not told to every user of the machine", async () => {
  const rules = [
    { effect: "allow", tool: "mcp__notes__look", pattern: null },
    { effect: "deny", tool: "mcp__notes__drop", pattern: null },
  ] as const;
  const { sitting, file, calls } = await withNotes({ rules });
  const { host, id, reader } = sitting;
  expect(await sitting.turn("#say begun")).toMatchObject({ outcome: "completed" });
  await written(file, /listed/); // from now on the agent has them

  expect(await sitting.turn(call("look", "freely"))).toMatchObject({ outcome: "completed" });
  expect(await sitting.turn(call("drop", "never"))).toMatchObject({ outcome: "completed" });
  expect(reader.of("approval.requested")).toEqual([]);
  expect(await calls()).toEqual(["look freely"]);
  expect(sitting.lastRequest).toContain("noted freely");

  await host.submit(id, { text: call("add", "asked") });
  const asked = await reader.until("approval.requested"); // the most permissive mode does not lift it
  expect(asked).toMatchObject({ toolName: "mcp__notes__add", input: { text: "asked" } });
  await reader.until("turn.waiting");
  await host.answer(asked.approvalId, { decision: "allow" });
  expect(await reader.until("turn.settled", 4)).toMatchObject({ outcome: "completed" });
  expect(await calls()).toEqual(["look freely", "add asked"]);
  expect(sitting.lastRequest).toContain("noted asked");

  const [agent = 0] = await sitting.agentPids();
  const words = await commandLine(agent);
  expect(words).toMatch(/stream-json/); // it is the agent's
  expect(words).not.toMatch(new RegExp(`${secret}|mcp-server`));
});

test("a server that hangs does not hold the first turn, and joins when it answers", async () => {
  const rules = [{ effect: "allow", tool: "mcp__notes__look", pattern: null }] as const;
  const { sitting, file, gate, calls } = await withNotes({ rules }, { isGated: true });
  expect(await sitting.turn("#say meanwhile")).toMatchObject({ outcome: "completed" });
  await gate?.write();
  await written(file, /listed/);
  expect(await sitting.turn(call("look", "late"))).toMatchObject({ outcome: "completed" });
  expect(await calls()).toEqual(["look late"]);
});

test("a server that is slow: a call that was allowed finds its tool, one that was given up ends no other turn", async () => {
  const { sitting, file, calls } = await withNotes({}, { slowMs: 1_500 });
  const { host, id, reader } = sitting;
  expect(await sitting.turn("#say begun")).toMatchObject({ outcome: "completed" });
  await written(file, /listed/);
  await host.submit(id, { text: call("add", "asked") });
  const { approvalId, durable } = await reader.until("approval.requested");
  expect(durable).toBe(true); // no process is held meanwhile
  await reader.until("turn.waiting");
  await host.answer(approvalId, { decision: "allow" });
  expect(await reader.until("turn.settled", 2)).toMatchObject({ outcome: "completed" });
  expect(await calls()).toEqual(["add asked"]);

  await host.submit(id, { text: call("add", "given up") });
  const { turnId } = await reader.until("turn.waiting", 2);
  await host.stop(id, turnId);
  expect(await reader.until("turn.settled", 3)).toMatchObject({ outcome: "stopped" });
  expect(await sitting.turn("#say the next")).toMatchObject({ outcome: "completed" });
  expect(await calls()).toEqual(["add asked"]);
});
