/** A workspace on disk and a way to run one tool in it, for the tests of the tools. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { LoopTool } from "../tools/loop-tool.ts";
import { realProcesses } from "./real-processes.ts";
import { WatchedClock } from "./watched-clock.ts";

export type ToolBench = {
  readonly workspace: string;
  /** Beside the workspace: nothing a tool may reach. */
  readonly outside: string;
  readonly outputs: string;
  readonly clock: WatchedClock;
  readonly processes: ReturnType<typeof realProcesses>;
  readonly stop: AbortController;
  run(tool: LoopTool, input: unknown): Promise<string>;
  paths(tool: LoopTool, input: unknown): Promise<readonly string[]>;
};

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

export async function toolBench(): Promise<ToolBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "mooring-tools-")));
  made.push(root);
  const [workspace, outside, outputs] = ["workspace", "outside", "outputs"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(workspace);
  await mkdir(outside);
  const clock = new WatchedClock();
  const processes = realProcesses();
  const stop = new AbortController();
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", GREETING: "hello" };
  const context = {
    workspace,
    outputs,
    env,
    processes,
    clock,
    sessionId: "ses_1",
    toolCallId: "call_1",
    signal: stop.signal,
    progress: () => {},
  };
  return {
    workspace,
    outside,
    outputs,
    clock,
    processes,
    stop,
    run: async (tool, input) => (await tool.open(input).run(context)).text,
    paths: async (tool, input) => tool.open(input).paths(context),
  };
}
