/**
 * `bash`: one command line. Invariants: the child is the supervisor's, with the session's environment and no input; it
 * and its descendants are over when the call ends, by its own end, by the time limit or by a stop.
 */
import type { ChildExit, ChildHandle } from "@mooring/host/driver";
import { messageOf } from "@mooring/host/driver";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool, type ToolContext } from "./loop-tool.ts";
import { makeRoom, outputName, ShellOutput } from "./shell-output.ts";
import { ToolFailure } from "./tool-failure.ts";

export const bashTool = defineTool({
  name: "bash",
  category: "shell",
  description:
    "Runs a command line with bash in the workspace. There is no input and no terminal. Returns what it wrote, " +
    `at most ${limits.shellChars} characters of it, and the exit code when it is not 0. Processes it leaves behind are ended.`,
  inputSchema: z.object({
    command: z.string().min(1),
    timeout: z
      .number()
      .positive()
      .max(limits.shellSecondsMax)
      .optional()
      .describe(`Seconds it may run; ${limits.shellSeconds} when absent.`),
  }),
  async paths() {
    return [];
  },
  async run({ command, timeout = limits.shellSeconds }, context) {
    const cwd = await containedPath(context, ".", "read");
    await makeRoom(context.outputs);
    context.signal.throwIfAborted();
    const child = await start(command, cwd, context);
    const output = new ShellOutput(context.outputs, outputName(context));
    child.stdout.on("data", output.pipe());
    child.stderr.on("data", output.pipe());
    child.stdin.end();
    const end = await watch(child, timeout * 1_000, context);
    return report(end, await output.text(), timeout);
  },
});

const start = (command: string, cwd: string, context: ToolContext): Promise<ChildHandle> =>
  context.processes
    .spawn({
      command: "bash",
      // Its input is a socket, from which bash concludes that it was started by ssh and reads ~/.bashrc.
      args: ["--norc", "-c", command],
      cwd,
      env: context.env,
      purpose: "tool bash",
      session: context.sessionId,
    })
    .catch((cause: unknown) => {
      throw new ToolFailure(`bash could not be started: ${messageOf(cause)}`, cause);
    });

type End = { readonly exit: ChildExit; readonly why: "exit" | "timeout" };

/** Waits for the end of the child; rejects with the signal's reason, after its tree is gone. */
async function watch(child: ChildHandle, timeoutMs: number, { clock, signal }: ToolContext): Promise<End> {
  const ending: { why: "timeout" | "stop"; done: Promise<ChildExit> }[] = [];
  const end = (why: "timeout" | "stop"): void => {
    if (ending.length === 0) ending.push({ why, done: child.end() });
  };
  const onAbort = (): void => end("stop");
  const cancel = clock.after(timeoutMs, () => end("timeout"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const exit = await child.exited;
    const ended = ending[0];
    if (ended === undefined) return { exit, why: "exit" };
    await ended.done;
    if (ended.why === "stop") throw signal.reason;
    return { exit, why: "timeout" };
  } finally {
    cancel();
    signal.removeEventListener("abort", onAbort);
  }
}

function report({ exit, why }: End, output: string, seconds: number): string {
  const text = output === "" || output.endsWith("\n") ? output : `${output}\n`;
  if (why === "timeout") throw new ToolFailure(`${text}[ended: it ran longer than ${seconds} seconds]`);
  if (exit.signal !== null) return `${text}[ended by ${exit.signal}]`;
  if (exit.code !== 0) return `${text}[exit code ${exit.code}]`;
  return output === "" ? "[no output]" : output;
}
