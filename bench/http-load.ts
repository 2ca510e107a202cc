/**
 * The server under load: sessions that stream, each with two readers over HTTP and one that never reads, persisted; then
 * what a loop that only writes takes for the same, before and after in the same run.
 *   node --conditions=mooring-source --expose-gc bench/http-load.ts [--sessions 200] [--seconds 300] [--rate 50] [--quick]
 */
import { fork } from "node:child_process";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { createAdaptorServer } from "@hono/node-server";
import { createHandler } from "@mooring/host/http";
import { atMost, type Line } from "./bench.ts";
import { type BenchHost, sqliteIn, withBenchHost } from "./bench-host.ts";
import type { FromReaders, ToReaders } from "./load-readers.ts";
import { LoadSession } from "./load-sessions.ts";
import { machineNow } from "./machine.ts";
import { RawStreams } from "./raw-streams.ts";
import { digits, exactly, median } from "./stats.ts";
import { steadily } from "./steadily.ts";
import { tableOf } from "./table.ts";
import { withTempDir } from "./temp-dir.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "200" },
    seconds: { type: "string", default: "300" },
    rate: { type: "string", default: "50" },
    quick: { type: "boolean", default: false },
  },
});
const sessions = values.quick ? 5 : Number(values.sessions);
const seconds = values.quick ? 3 : Number(values.seconds);
const perSecond = sessions * Number(values.rate);
/** Readers of one session. */
const readers = 2;
/** Of the raw loop, before and after. */
const rawSeconds = Math.min(20, Math.max(1, seconds / 10));
/** Parts of the time that are looked at one by one. */
const parts = 10;
const token = "the-token-of-the-load";

class Readers {
  readonly #child = fork(join(import.meta.dirname, "load-readers.ts"), { execArgv: ["--conditions=mooring-source"] });

  async open(urls: readonly string[], stalled: readonly string[]): Promise<void> {
    await this.#ask({ ask: "open", urls: urls.flatMap((url) => Array<string>(readers).fill(url)), stalled, token });
  }
  async seen(): Promise<Extract<FromReaders, { said: "seen" }>> {
    const answer = await this.#ask({ ask: "seen" });
    if (answer.said === "seen") return answer;
    throw new TypeError(`the readers said ${answer.said}`);
  }
  close(): void {
    this.#child.send({ ask: "close" } satisfies ToReaders);
  }
  end(): void {
    this.#child.disconnect();
  }
  #ask(message: ToReaders): Promise<FromReaders> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new TypeError("the readers are gone"));
      this.#child.once("exit", gone);
      this.#child.once("message", (answer) => {
        this.#child.off("exit", gone);
        resolve(answer as FromReaders);
      });
      this.#child.send(message);
    });
  }
}

type Part = {
  readonly emitted: number;
  readonly pieces: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly lagMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Microseconds of CPU of the loop's thread, and of the whole process, for each piece a reader got. */
  readonly loopUs: number;
  readonly processUs: number;
};
/** `say`: false when there was nobody to say it. */
async function part(clients: Readers, ms: number, say: (n: number) => boolean): Promise<Part> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await clients.seen();
  const cpu = process.cpuUsage();
  delay.enable();
  let emitted = 0;
  const done = await steadily(perSecond, ms, (n) => {
    if (say(n)) emitted++;
  });
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  const { pieces, p50, p99 } = await clients.seen();
  const { rss, heapUsed } = process.memoryUsage();
  const delivered = Math.max(1, emitted * readers);
  return {
    emitted,
    pieces,
    perSecond: done.perSecond,
    p50,
    p99,
    lagMs: Math.max(0, delay.percentile(99) / 1e6 - 1),
    rssMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    loopUs: (done.cpuMs * 1_000) / delivered,
    processUs: (user + system) / delivered,
  };
}

async function rawPart(clients: Readers): Promise<Part> {
  const raw = await RawStreams.open(sessions);
  await clients.open(raw.urls, []);
  const seen = await part(clients, rawSeconds * 1_000, (n) => raw.say(n));
  clients.close();
  raw.close();
  return seen;
}
async function loaded(
  bench: BenchHost,
  clients: Readers,
): Promise<{ readonly all: readonly Part[]; readonly missed: number }> {
  const handler = createHandler(bench.host, { auth: { token }, limits: { streams: sessions * 4 } });
  const server = createAdaptorServer({ fetch: handler.fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const running: LoadSession[] = [];
  for (let n = 0; n < sessions; n++) running.push(await LoadSession.open(bench));
  const urls = running.map(({ id }) => `http://127.0.0.1:${port}/v1/sessions/${id}/events`);
  await clients.open(urls, urls);
  const all: Part[] = [];
  for (let n = 0; n < parts; n++) {
    globalThis.gc?.();
    all.push(await part(clients, (seconds * 1_000) / parts, (at) => running[at % sessions]?.say(at) ?? false));
    console.error(shown(n, all.at(-1)));
  }
  const { cut, stalledCut } = await clients.seen();
  console.error(`readers cut: ${cut}; of ${sessions} that never read: ${stalledCut}; streams open: ${handler.streams}`);
  handler.close();
  clients.close();
  server.close();
  return { all, missed: running.reduce((sum, { missed }) => sum + missed, 0) };
}
function shown(n: number, seen: Part | undefined): string {
  if (seen === undefined) return "";
  const { perSecond: rate, p50, p99, lagMs, rssMb, heapMb, loopUs, processUs } = seen;
  const cells = [
    `part ${n + 1}/${parts}`,
    `${digits(rate)}/s`,
    `latency p50 ${digits(p50 / 1_000)} p99 ${digits(p99 / 1_000)} ms`,
    `lag p99 ${digits(lagMs)} ms`,
    `rss ${digits(rssMb)} heap ${digits(heapMb)} MB`,
    `CPU ${digits(loopUs)} (all ${digits(processUs)}) us/piece`,
  ];
  return cells.join("  ");
}

function linesOf(all: readonly Part[], raw: readonly Part[], missed: number): readonly Line[] {
  const of = (what: (part: Part) => number, some = all): number => median(some.map(what));
  /** Past the first fifth, which is a minute of five. */
  const late = all.slice(parts / 5);
  const grown = of(({ rssMb }) => rssMb, late.slice(-2)) / of(({ rssMb }) => rssMb, late.slice(0, 2));
  const [loopUs, rawUs] = [of((part) => part.loopUs), of((part) => part.loopUs, raw)];
  const delivered =
    all.reduce((sum, { pieces }) => sum + pieces, 0) / (all.reduce((sum, { emitted }) => sum + emitted, 0) * readers);
  const what = `${sessions} sessions x ${values.rate}/s, ${readers} readers each`;
  return [
    {
      what: "CPU of the loop per piece a reader got",
      against: "a loop that only writes",
      unit: "x",
      measured: exactly(loopUs / rawUs),
      budget: atMost(2),
      note: `${digits(loopUs)} to ${digits(rawUs)} us; whole process ${digits(of((part) => part.processUs))} to ${digits(of((part) => part.processUs, raw))} us`,
    },
    {
      what: "latency p50, agent to reader over HTTP",
      against: "a loop that only writes",
      unit: "ms",
      measured: exactly((of(({ p50 }) => p50) - of(({ p50 }) => p50, raw)) / 1_000),
      budget: null,
      note: `p50 ${digits(of(({ p50 }) => p50) / 1_000)} ms, p99 ${digits(of(({ p99 }) => p99) / 1_000)} ms; raw p99 ${digits(of(({ p99 }) => p99, raw) / 1_000)} ms`,
    },
    {
      what: "memory at the end",
      against: "after the first fifth",
      unit: "x",
      measured: exactly(grown),
      budget: atMost(1.1),
      note: `${digits(of(({ rssMb }) => rssMb, late.slice(-2)))} MB`,
    },
    {
      what: "loop lag p99",
      against: "a loop that only writes",
      unit: "ms",
      measured: exactly(of(({ lagMs }) => lagMs)),
      budget: null,
      note: `raw ${digits(of(({ lagMs }) => lagMs, raw))} ms`,
    },
    {
      what: "pieces that came",
      against: "pieces said",
      unit: "x",
      measured: exactly(delivered),
      budget: null,
      note: `${what}; ${missed} not said between turns`,
    },
  ];
}

const before = machineNow();
const clients = new Readers();
const first = await rawPart(clients);
const { all, missed } = await withTempDir(async (directory) =>
  withBenchHost({ directory, store: await sqliteIn(directory) }, (bench) => loaded(bench, clients)),
);
const second = await rawPart(clients);
clients.end();
console.log(`${tableOf(linesOf(all, [first, second], missed))}\nbefore: ${before}\nafter:  ${machineNow()}`);
process.exit(process.exitCode ?? 0);
