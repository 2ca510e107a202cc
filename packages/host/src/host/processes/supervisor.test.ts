import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import type { SpawnOptions } from "../../ports/processes.ts";
import type { ProcessRow } from "../../protocol/rows.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { silentLog } from "../silent-log.ts";
import { systemClock } from "../system-clock.ts";
import { ProcessError } from "./process-error.ts";
import { readProcessTable, startTimeOf } from "./process-table.ts";
import { createSupervisor, type ProcessRecord, type Supervisor, type SupervisorOptions } from "./supervisor.ts";

const path = process.env["PATH"] ?? "";
let directory: string;
let record: MemoryRecord;
let supervisors: Supervisor[];

/** The `processes` table, and the calls that made it. */
class MemoryRecord implements ProcessRecord {
  readonly rows = new Map<number, ProcessRow>();
  readonly calls: string[] = [];
  /** What `started` waits for. */
  stored: Promise<void> = Promise.resolve();
  readonly #forgotten = new EventEmitter();

  /** Resolves at the next `ended` of this process. */
  async forgets(pid: number): Promise<void> {
    await once(this.#forgotten, `${pid}`);
  }

  async started(row: ProcessRow): Promise<void> {
    this.calls.push(`started ${row.purpose}`);
    await this.stored;
    this.rows.set(row.pid, row);
  }

  async ended(pid: number, startTime: string): Promise<void> {
    const row = this.rows.get(pid);
    if (row?.startTime !== startTime) return;
    this.calls.push(`ended ${row.purpose}`);
    this.rows.delete(pid);
    this.#forgotten.emit(`${pid}`);
  }
}

const supervise = (options: Partial<SupervisorOptions> = {}): Supervisor => {
  const made = createSupervisor({ clock: systemClock, log: silentLog, record, ...options });
  supervisors.push(made);
  return made;
};
const bash = (script: string, options: Partial<SpawnOptions> = {}): SpawnOptions => ({
  command: "bash",
  args: ["--norc", "-c", script], // bash takes a socket as stdin for rshd and would read ~/.bashrc
  cwd: directory,
  env: { PATH: path },
  purpose: "test",
  ...options,
});
/** The numbers a script prints, one a line, once it has printed `count` more of them. */
async function numbers(output: Readable, count: number): Promise<readonly number[]> {
  const read: number[] = [];
  const input = createInterface({ input: output });
  for await (const line of input) if (read.push(Number(line)) === count) break;
  return read;
}
const living = async (pids: readonly number[]): Promise<readonly number[]> => {
  const table = await readProcessTable();
  return pids.filter((pid) => table.has(pid));
};
const sized = async (file: string): Promise<number> => (await readFile(join(directory, file))).length;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "mooring-supervisor-"));
  record = new MemoryRecord();
  supervisors = [];
});
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop(0)));
  await rm(directory, { recursive: true, force: true });
});

test("the environment is exactly what was given", async () => {
  const child = await supervise().spawn(bash("", { command: "env", args: [], env: { PATH: path, ONLY: "this" } }));
  expect((await text(child.stdout)).trim().split("\n").sort()).toEqual(["ONLY=this", `PATH=${path}`]);
});

test("a Ctrl-C at the host's terminal does not reach a child: it leads a process group of its own", async () => {
  const child = await supervise().spawn(bash("ps -o pgid= -p $$"));
  expect(await numbers(child.stdout, 1)).toEqual([child.pid]);
});

test("a child is recorded before its owner gets it and forgotten after its end", async () => {
  const supervisor = supervise({ hostPid: 4242 });
  const child = await supervisor.spawn(bash("read line", { purpose: "agent", session: "ses_1" }));
  const { pid } = child;
  expect(record.rows.get(pid)).toMatchObject({ pid, purpose: "agent", sessionId: "ses_1", hostPid: 4242 });
  expect(record.rows.get(pid)?.startTime).toBe(startTimeOf(pid));
  expect(supervisor.list()).toMatchObject([{ pid, purpose: "agent", session: "ses_1" }]);
  child.stdin.end("done\n");
  expect(await child.exited).toEqual({ code: 0, signal: null, stderr: "", survivors: [] });
  await supervisor.stop();
  expect(supervisor.list()).toEqual([]);
  expect(record.calls).toEqual(["started agent", "ended agent"]);
});

test("output of a child that is over at once is not lost", async () => {
  const child = await supervise().spawn(bash("echo out; echo err >&2; exit 3"));
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
  expect([out, err, exit]).toEqual(["out\n", "err\n", { code: 3, signal: null, stderr: "err\n", survivors: [] }]);
});

test("a child that cannot be recorded does not run on", async () => {
  record.stored = Promise.reject(new ProcessError("spawn-failed", "disk full", {}));
  const supervisor = supervise();
  const failure = supervisor.spawn(bash("sleep 60"));
  await expect(failure).rejects.toMatchObject({ code: "process-unrecorded", message: expect.stringContaining("disk") });
  expect(supervisor.list()).toEqual([]);
});

test("the tail of stderr is bounded, redacted and whole characters", async () => {
  const env = { PATH: path, SOME_API_KEY: "very-secret-value" };
  const script = `for i in {1..2000}; do printf €; done >&2; echo " $SOME_API_KEY sk-abcdefgh" >&2; exit 1`;
  const child = await supervise().spawn(bash(script, { env }));
  const { stderr } = await child.exited;
  expect(stderr).toMatch(/^€+ \[redacted\] \[redacted\]\n$/);
  expect(Buffer.byteLength(stderr)).toBeGreaterThan(2_040);
  expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(2_048);
});

test("the exit is told although a descendant keeps the pipes open, and that one is ended", async () => {
  const child = await supervise().spawn(bash("(setsid sleep 60 & echo $!); read line; exit 0"));
  const [sleeper] = await numbers(child.stdout, 1);
  child.stdin.end("leave\n");
  const forgotten = record.forgets(child.pid);
  expect(await child.exited).toEqual({ code: 0, signal: null, stderr: "", survivors: [sleeper] });
  await forgotten;
  expect(await living([sleeper ?? 0])).toEqual([]);
});

test("end finds a daemon of the child that no listing showed", async () => {
  const child = await supervise().spawn(bash("(setsid sleep 60 & echo $!); echo 0; exec sleep 60"));
  const [daemon] = await numbers(child.stdout, 2);
  expect(await child.end()).toMatchObject({ signal: "SIGTERM", survivors: [daemon] });
  expect(await living([daemon ?? 0])).toEqual([]);
});

test("who ignores SIGTERM gets SIGKILL after the grace, and a second end shortens it", async () => {
  const child = await supervise().spawn(bash(`trap "" TERM; echo 1; while :; do sleep 0.05; done`));
  await numbers(child.stdout, 1);
  const patient = child.end(600_000);
  expect(await child.end(50)).toMatchObject({ code: null, signal: "SIGKILL" });
  expect(await patient).toBe(await child.end());
});

test("tools in sessions of their own end with the agent", async () => {
  const heart = `echo beat >> beats; echo $BASHPID; while :; do echo beat >> beats; sleep 0.01; done`;
  const tool = `(sleep 60 & echo $!; ${heart}) & echo $$; wait`;
  const child = await supervise().spawn(bash(`setsid bash -c '${tool}' & wait`));
  const tools = await numbers(child.stdout, 3);
  const exit = await child.end();
  expect(exit).toMatchObject({ signal: "SIGTERM", survivors: [] });
  const beats = await sized("beats");
  expect(await living(tools)).toEqual([]);
  expect(await sized("beats")).toBe(beats);
});

test("a double-forked tool that outlives its parents is ended and reported", async () => {
  const stubborn = `trap "" TERM; echo $$; while :; do sleep 0.05; done`;
  const child = await supervise().spawn(
    bash(`bash -c 'setsid bash -c "${stubborn.replaceAll('"', '\\"').replaceAll("$", "\\$")}" & wait' & wait`),
  );
  const [tool] = await numbers(child.stdout, 1);
  const exit = await child.end(100);
  expect(exit.survivors).toContain(tool);
  expect(await living([tool ?? 0])).toEqual([]);
});

test("a tool whose parent ended before is still ended, and reported although it obeys", async () => {
  const clock = listeningClock();
  const parent = "setsid sleep 60 & echo $!; read line";
  const child = await supervise({ clock }).spawn(bash(`bash -c '${parent}'; echo 0; sleep 60`));
  const [tool] = await numbers(child.stdout, 1);
  await clock.look();
  child.stdin.write("leave it\n");
  await numbers(child.stdout, 1);
  expect(await child.end()).toMatchObject({ signal: "SIGTERM", survivors: [tool] });
  expect(await living([tool ?? 0])).toEqual([]);
});

test("what a crashed child leaves behind is reported and ended", async () => {
  const clock = listeningClock();
  const child = await supervise({ clock }).spawn(bash("setsid sleep 60 & echo $!; wait"));
  const [tool] = await numbers(child.stdout, 1);
  await clock.look();
  const forgotten = record.forgets(child.pid);
  process.kill(child.pid, "SIGKILL");
  expect(await child.exited).toMatchObject({ signal: "SIGKILL", survivors: [tool] });
  await forgotten;
  expect(await living([tool ?? 0])).toEqual([]);
  expect((await child.end()).survivors).toEqual([tool]);
});

test.each([
  ["command-not-found", "no-such-agent", undefined, /"no-such-agent": no such command in PATH=.*install it/],
  ["command-not-found", "/no/such/agent", undefined, /"\/no\/such\/agent": no such file/],
  ["directory-missing", "bash", "/no/such/directory", /directory \/no\/such\/directory does not exist/],
  ["command-not-found", tmpdir(), undefined, /no executable file/],
])("%s: cannot start %s", async (code, command, cwd, message) => {
  const failure = supervise().spawn(bash("", { command, ...(cwd && { cwd }) }));
  await expect(failure).rejects.toBeInstanceOf(ProcessError);
  await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  expect(record.calls).toEqual([]);
});

test("writing to a child that does not read, or is gone, is no crash", async () => {
  const child = await supervise().spawn(bash("exec 0<&-; echo 1; exec sleep 60"));
  await numbers(child.stdout, 1);
  const broken = await new Promise((written) => child.stdin.write("deaf\n", written));
  expect(broken).toMatchObject({ code: "EPIPE" });
  await child.end();
  child.stdin.write("late\n");
  expect((await child.exited).signal).toBe("SIGTERM");
});

test("many children stop in parallel, and nothing starts afterwards", async () => {
  const clock = new VirtualClock();
  const supervisor = supervise({ clock });
  const script = `trap "" TERM; echo $$; while :; do sleep 0.2; done`;
  const children = await Promise.all(Array.from({ length: 12 }, () => supervisor.spawn(bash(script))));
  await Promise.all(children.map((child) => numbers(child.stdout, 1)));
  const stopped = supervisor.stop(300);
  clock.advance(300); // the grace of one is the grace of all: after it nobody waits for another's
  await stopped;
  expect(await living(children.map((child) => child.pid))).toEqual([]);
  expect(record.rows.size).toBe(0);
  await expect(supervisor.spawn(bash("true"))).rejects.toMatchObject({ code: "supervisor-stopped", retry: "later" });
});

test("a killed host leaves an orphan, which the next host ends with its tools", async () => {
  const host = await killedHost(`trap "" TERM; setsid sleep 60 & echo $!; while :; do sleep 0.05; done`);
  expect(await living([host.row.pid, host.tool])).toHaveLength(2);
  record.rows.set(host.row.pid, host.row);
  expect(await supervise().endOrphans([host.row], 100)).toEqual([host.row]);
  expect(await living([host.row.pid, host.tool])).toEqual([]);
  expect(record.rows.size).toBe(0);
});

test("a pid that was given to another process is left alone, and so is a child of this host", async () => {
  const stranger = spawn("sleep", ["60"]);
  const pid = stranger.pid ?? 0;
  const supervisor = supervise();
  const own = await supervisor.spawn(bash("sleep 60"));
  const recorded = record.rows.get(own.pid);
  const reused = { pid, startTime: "1@another", purpose: "old", sessionId: null, hostPid: 1, startedAt: 0 };
  record.rows.set(pid, reused);
  expect(await supervisor.endOrphans(recorded ? [reused, recorded] : [])).toEqual([]);
  expect(await living([pid, own.pid])).toEqual([pid, own.pid]);
  expect([...record.rows.keys()]).toEqual([own.pid]);
  await killed(stranger);
});

test("a host that dies before the child is recorded leaves nothing behind, and its command never began", async () => {
  const began = join(directory, "began");
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const program = `
    import { createSupervisor } from ${module("./supervisor.ts")};
    import { systemClock } from ${module("../system-clock.ts")};
    import { silentLog } from ${module("../silent-log.ts")};
    const record = { started: (row) => { console.log(row.pid); return new Promise(() => {}); }, ended: async () => {} };
    setInterval(() => {}, 1_000);
    await createSupervisor({ clock: systemClock, log: silentLog, record }).spawn(${JSON.stringify(bash(`touch ${began}; sleep 60`))});`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [pid] = await once(createInterface({ input: host.stdout }), "line");
  await killed(host);
  await once(spawn("tail", ["--pid", pid, "-f", "/dev/null"]), "exit"); // when it is gone
  expect(existsSync(began)).toBe(false);
});

/** A clock whose timer is fired by the test: `look` resolves when the listing it began is over. */
function listeningClock(): Clock & { look(): Promise<void> } {
  let fire = (): void => {};
  let armed = (): void => {};
  return {
    ...systemClock,
    after(_ms, call) {
      fire = call;
      armed();
      return () => {};
    },
    look: () =>
      new Promise((resolve) => {
        armed = resolve;
        fire();
      }),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** A host of its own, killed once its child and the child's tool run. */
async function killedHost(script: string): Promise<{ readonly row: ProcessRow; readonly tool: number }> {
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const program = `
    import { createSupervisor } from ${module("./supervisor.ts")};
    import { systemClock } from ${module("../system-clock.ts")};
    import { silentLog } from ${module("../silent-log.ts")};
    let row;
    const record = { started: async (started) => { row = started; }, ended: async () => {} };
    const child = await createSupervisor({ clock: systemClock, log: silentLog, record }).spawn(${JSON.stringify(bash(script))});
    child.stdout.once("data", (tool) => console.log(JSON.stringify({ row, tool: Number(tool) })));`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: host.stdout }), "line");
  await killed(host);
  return JSON.parse(line);
}
