/**
 * The server under load: sessions that stream, each with two readers over HTTP and one that never reads, persisted. In
 * the same run, before and after: a loop that only writes, and the same server without a database.
 *   node --conditions=mooring-source --expose-gc bench/http-load.ts [--sessions 200] [--seconds 300] [--rate 50] [--quick]
 */
import { setImmediate as tick } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type BenchHost, memoryStore, sqliteIn, withBenchHost } from "./bench-host.ts";
import { httpLines } from "./http-lines.ts";
import { type Part, partOf, shown } from "./http-part.ts";
import { machineNow } from "./machine.ts";
import { type Paired, pairedRounds } from "./paired-rounds.ts";
import { RawStreams } from "./raw-streams.ts";
import { Readers, type Streams } from "./readers.ts";
import { ServedStreams } from "./served-streams.ts";
import { tableOf } from "./table.ts";
import { withTempDir } from "./temp-dir.ts";
import { withoutDatabase } from "./without-database.ts";

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
const each = 2;
/** Of a baseline, before and after. */
const baselineMs = 1_000 * Math.min(20, Math.max(1, seconds / 10));
/** Parts of the time that are looked at one by one. */
const parts = 10;
/** Pieces of one turn: ten seconds at fifty a second. */
const piecesOfTurn = 500;
/** Pieces said as fast as the loop can, and in one go of that. */
const [flatOutPieces, burst] = values.quick ? [500, 100] : [20_000, 400];
const flatOutRounds = values.quick ? 1 : 5;

/** Pieces a second when nothing holds them up, until the readers have them all. */
async function flatOut(clients: Readers, streams: Streams): Promise<number> {
  await clients.seen();
  const from = performance.now();
  for (let n = 0; n < flatOutPieces; n++) {
    streams.say(n);
    if (n % burst === 0) await tick();
  }
  await clients.until(flatOutPieces * each);
  return (flatOutPieces / (performance.now() - from)) * 1_000;
}

/** The server and the raw loop in turns: what the machine does besides hits both. No turn ends meanwhile. */
async function flatOutBoth(bench: BenchHost): Promise<Paired> {
  const [served, raw] = [
    await ServedStreams.open(bench, sessions, Number.POSITIVE_INFINITY),
    await RawStreams.open(sessions),
  ];
  const [servedClients, rawClients] = [new Readers(), new Readers()];
  await servedClients.open(served, { each, stalled: false });
  await rawClients.open(raw, { each, stalled: false });
  const both = await pairedRounds(flatOutRounds, {
    baseline: () => flatOut(rawClients, raw),
    subject: () => flatOut(servedClients, served),
  });
  for (const clients of [servedClients, rawClients]) clients.end();
  for (const streams of [served, raw]) streams.close();
  return both;
}

async function raw(clients: Readers): Promise<Part> {
  const streams = await RawStreams.open(sessions);
  await clients.open(streams, { each, stalled: false });
  const part = await partOf(clients, streams, { perSecond, ms: baselineMs });
  clients.close();
  streams.close();
  return part;
}

/** Its turns go on until the end: what is dropped has no numbers that a later turn could go on from. */
async function bare(clients: Readers): Promise<Part> {
  const { store, drop } = withoutDatabase(memoryStore());
  return withTempDir((directory) =>
    withBenchHost({ directory, store }, async (bench) => {
      const streams = await ServedStreams.open(bench, sessions, Number.POSITIVE_INFINITY);
      await clients.open(streams, { each, stalled: false });
      for (let n = 0; n < sessions; n++) streams.say(n);
      await clients.until(sessions * each); // everybody follows live
      drop();
      const part = await partOf(clients, streams, { perSecond, ms: baselineMs });
      clients.close();
      streams.close();
      return part;
    }),
  );
}

async function loaded(bench: BenchHost, clients: Readers) {
  const streams = await ServedStreams.open(bench, sessions, piecesOfTurn);
  await clients.open(streams, { each, stalled: true });
  const all: Part[] = [];
  for (let n = 0; n < parts; n++) {
    globalThis.gc?.();
    const part = await partOf(clients, streams, { perSecond, ms: (seconds * 1_000) / parts });
    console.error(`part ${n + 1}/${parts}  ${shown(part)}`);
    all.push(part);
  }
  const { cut, stalledCut } = await clients.seen();
  console.error(`readers cut: ${cut}; of ${sessions} that never read: ${stalledCut}; streams open: ${streams.open}`);
  clients.close();
  streams.close();
  return { all, missed: streams.missed, most: await flatOutBoth(bench) };
}

const before = machineNow();
const clients = new Readers();
const rawBefore = await raw(clients);
const bareBefore = await bare(clients);
const load = await withTempDir(async (directory) =>
  withBenchHost({ directory, store: await sqliteIn(directory) }, (bench) => loaded(bench, clients)),
);
const bareParts = [bareBefore, await bare(clients)];
const raws = [rawBefore, await raw(clients)];
clients.end();
const lines = httpLines({ load, raw: raws, bare: bareParts, each, what: `${sessions} sessions x ${values.rate}/s` });
console.log(`${tableOf(lines)}\nbefore: ${before}\nafter:  ${machineNow()}`);
process.exit(process.exitCode ?? 0);
