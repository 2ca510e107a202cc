/** Real children for the tests of this package: each leads a process group of its own, which `end` signals as a whole. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { type ChildExit, type ChildHandle, MooringError, type Processes } from "@mooring/host/driver";

export function realProcesses(): Processes {
  const alive = new Map<number, { readonly purpose: string; readonly session: string | null }>();
  return {
    async spawn({ command, args, cwd, env, purpose, session = null }) {
      const child = spawn(command, args, { cwd, env: { ...env }, detached: true, stdio: "pipe" });
      child.stdin.on("error", () => {}); // it may have ended before it read
      await Promise.race([once(child, "spawn"), failed(child, command)]);
      const pid = child.pid ?? 0;
      alive.set(pid, { purpose, session });
      child.once("exit", () => alive.delete(pid));
      return handle(child, pid);
    },
    list: () => [...alive].map(([pid, { purpose, session }]) => ({ pid, purpose, session, startedAt: 0 })),
  };
}

async function failed(child: ChildProcessWithoutNullStreams, command: string): Promise<never> {
  const [cause] = await once(child, "error");
  throw new MooringError("spawn-failed", `${command} could not be started.`, { cause });
}

function handle(child: ChildProcessWithoutNullStreams, pid: number): ChildHandle {
  const exited = once(child, "close").then(
    ([code, signal]): ChildExit => ({ code, signal, stderr: "", survivors: [] }),
  );
  const end = (): Promise<ChildExit> => {
    endGroup(pid);
    return exited;
  };
  return { pid, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, end };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}
