/**
 * Opens the store and the host of a data directory and submits to one of its sessions; prints the milliseconds as JSON.
 *   node bench/start-program.ts DATA_DIR SESSION
 */
import { setTimeout as wait } from "node:timers/promises";

const [directory = "", session = ""] = process.argv.slice(2);
/** Milliseconds to let everything come to rest before memory is read. */
const restMs = 300;

const loading = performance.now();
const { openBenchHost, sqliteIn } = await import("./bench-host.ts");
const loaded = performance.now();
const { host } = await openBenchHost({ directory, store: await sqliteIn(directory), driver: { mode: "echo" } });
const opened = performance.now();
await host.submit(session, { text: "hello" });
const accepted = performance.now();
const { user, system } = process.cpuUsage();
await wait(restMs);
globalThis.gc?.();
const answer: StartAnswer = {
  bootMs: loading,
  loadMs: loaded - loading,
  openMs: opened - loaded,
  submitMs: accepted - opened,
  cpuMs: (user + system) / 1_000,
  rssMb: process.memoryUsage().rss / 1e6,
};
console.log(JSON.stringify(answer));
process.exit(0);

export type StartAnswer = {
  /** Node itself, until the first line of the program. */
  readonly bootMs: number;
  readonly loadMs: number;
  readonly openMs: number;
  readonly submitMs: number;
  /** Of the whole process until then, all threads. */
  readonly cpuMs: number;
  readonly rssMb: number;
};
