/**
 * Opens the store and the host of a data directory that a dead host left behind; prints the milliseconds as JSON.
 *   node bench/recovery-program.ts DATA_DIR
 */
import { openBenchHost, sqliteIn } from "./bench-host.ts";

const [directory = ""] = process.argv.slice(2);
const from = performance.now();
const store = await sqliteIn(directory);
const opened = performance.now();
const { host } = await openBenchHost({ directory, store });
const recovered = performance.now();
const { user, system } = process.cpuUsage();
const answer: RecoveryAnswer = {
  openMs: opened - from,
  recoverMs: recovered - opened,
  cpuMs: (user + system) / 1_000,
  working: host.listActiveWork().length,
};
console.log(JSON.stringify(answer));
process.exit(0);

export type RecoveryAnswer = {
  readonly openMs: number;
  readonly recoverMs: number;
  /** Of the whole process until then, all threads. */
  readonly cpuMs: number;
  /** What is still in flight: none is expected. */
  readonly working: number;
};
