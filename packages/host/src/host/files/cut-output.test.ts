import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { UIMessageChunk } from "../../protocol/chunks.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../../testing/counting-ids.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { cutEvent } from "./cut-output.ts";
import { fileIdOf } from "./data-url.ts";
import { Files } from "./files.ts";

const limits = { outputBytes: 8_192, fileBytes: 100_000 };
let dataDir = "";
let files: Files;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mooring-cut-"));
  const [ids, clock] = [countingIds(), new VirtualClock()];
  const store = createMemoryStore({ ids, clock });
  files = new Files({ store, ids, clock, dataDir, maxBytes: limits.fileBytes });
});
afterEach(() => rm(dataDir, { recursive: true }));

const event = (chunk: UIMessageChunk): AgentEvent => ({ type: "chunk", connection: 1, generation: "t1", chunk });
const output = (value: unknown, more: object = {}): AgentEvent =>
  event({ type: "tool-output-available", toolCallId: "c", output: value, ...more });
async function cut(given: AgentEvent): Promise<Readonly<Record<string, unknown>>> {
  const made = await cutEvent(files, limits, given);
  return made?.type === "chunk" ? { ...made.chunk } : {};
}
/** What the words about a cut say is kept. */
async function keptFor(text: string): Promise<string> {
  const [, url = ""] = /(mooring:file\/\w+)\]$/.exec(text) ?? [];
  const row = await files.find(fileIdOf(url) ?? "");
  return row === null ? "" : String(await files.bytes(row));
}

test("what is short, and what is no output, is left alone", () => {
  const long = "x".repeat(20_000);
  expect(cutEvent(files, limits, output("x".repeat(8_000)))).toBeNull();
  expect(cutEvent(files, limits, output({ a: [1, null, "b"] }))).toBeNull();
  expect(cutEvent(files, limits, event({ type: "text-delta", id: "p", delta: long }))).toBeNull();
  const request = { approval: "a", toolCallId: "c", toolName: "bash", input: long, durable: true };
  expect(cutEvent(files, limits, { type: "loose-approval-request", connection: 1, request })).toBeNull();
});

test("a long text is cut between characters, says so, and is kept whole", async () => {
  const whole = `a${"😀".repeat(10_000)}`;
  const text = String((await cut(output(whole)))["output"]);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(limits.outputBytes);
  expect(text).toMatch(/^a(😀)+\n\[cut here: all 40001 bytes are in the file mooring:file\/fil_0001\]$/u);
  expect(await keptFor(text)).toBe(whole);
});

test("in an object the long texts are cut, the rest stays", async () => {
  const whole = { exitCode: 1, stdout: "o".repeat(30_000), stderr: "e".repeat(100), lines: ["l".repeat(9_000)] };
  const made = (await cut(output(whole)))["output"] as typeof whole;
  expect(made).toMatchObject({ exitCode: 1, stderr: whole.stderr });
  expect(Buffer.byteLength(JSON.stringify(made))).toBeLessThanOrEqual(limits.outputBytes);
  expect(JSON.parse(await keptFor(made.stdout))).toEqual(whole);
  expect(await keptFor(made.lines[0] ?? "")).toBe(await keptFor(made.stdout));
});

test("errors, inputs and data too; what only passes is cut and not kept", async () => {
  const long = "x".repeat(20_000);
  const tool = { toolCallId: "c", toolName: "bash" };
  expect(await cut(event({ type: "tool-output-error", toolCallId: "c", errorText: long }))).toMatchObject({
    errorText: expect.stringMatching(/mooring:file/),
  });
  expect(await cut(event({ type: "tool-input-available", ...tool, input: { command: long } }))).toMatchObject({
    input: { command: expect.stringMatching(/mooring:file/) },
  });
  expect(await cut(event({ type: "data-log", data: [long] }))).toMatchObject({
    data: [expect.stringMatching(/cut here/)],
  });
  const passing = await cut(output(long, { preliminary: true }));
  expect(passing).toMatchObject({ preliminary: true, output: expect.stringMatching(/\[cut here: more comes\]$/) });
});

test("more than a file may have is kept as far as it goes; what cannot be kept is told", async () => {
  const text = String((await cut(output("é".repeat(60_000))))["output"]);
  expect(text).toContain("the first 100000 of 120000 bytes are in the file");
  expect(await keptFor(text)).toBe("é".repeat(50_000));
  files.put = () => Promise.reject(new TypeError("no room"));
  expect(String((await cut(output("x".repeat(20_000))))["output"])).toMatch(/\[cut here: the rest is lost: no room\]$/);
});

test("whatever comes fits afterwards", async () => {
  const long = fc.string({ unit: "binary", minLength: 1_000, maxLength: 12_000, size: "max" });
  const value = fc.oneof(
    long,
    fc.array(long, { maxLength: 4 }),
    fc.dictionary(fc.string(), fc.oneof(long, fc.integer()), { maxKeys: 4 }),
    fc.array(fc.integer(), { minLength: 3_000, maxLength: 6_000, size: "max" }),
  );
  const seed = Number(process.env["MOORING_SEED"] ?? 1);
  await fc.assert(
    fc.asyncProperty(value, async (whole) => {
      const made = await cutEvent(files, limits, output(whole));
      const size = Buffer.byteLength(JSON.stringify(whole));
      expect(made === null).toBe(size <= limits.outputBytes);
      if (made?.type !== "chunk" || made.chunk.type !== "tool-output-available") return;
      const json = JSON.stringify(made.chunk.output);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(limits.outputBytes);
      expect(/\\ud[89a-f]/i.test(json)).toBe(false);
    }),
    { seed, numRuns: 60 },
  );
});
