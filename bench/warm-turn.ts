/**
 * What the host adds to a turn of the built-in agent whose session is warm: from submit to the first text and to the
 * end, against `streamText` with the same model and prompt. The model answers at once, so every millisecond is ours.
 */

import { loopDriver } from "@mooring/driver-loop";
import { createHost, type SessionHost } from "@mooring/host";
import { scriptedModel } from "@mooring/scripted-model";
import { streamText } from "ai";
import type { Bench, Line } from "./bench.ts";
import { sqliteIn } from "./bench-host.ts";
import { compare, inRounds, type Paired } from "./paired-rounds.ts";
import { digits } from "./stats.ts";
import { withTempDir } from "./temp-dir.ts";

/** Sixty words: as many pieces of text. */
const prompt = `#say ${Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ")}`;
type Times = { readonly first: number; readonly whole: number };

export const warmTurn: Bench = {
  name: "warm-turn",
  run: ({ quick }) =>
    withTempDir(async (directory) => {
      const store = await sqliteIn(directory);
      const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
      const host = await createHost({ store, drivers, dataDir: directory, roots: [] });
      try {
        await host.agents.add({ name: "bench", driver: "loop", model: "scripted" });
        return await measure(host, quick ? 2 : 40);
      } finally {
        await host.shutdown({ graceMs: 0 });
      }
    }),
};

async function measure(host: SessionHost, count: number): Promise<readonly Line[]> {
  const rounds = await inRounds(count, {
    baseline: bareTurn,
    // A session's history is sent with every turn: a new one each time keeps the two sides alike.
    subject: async () => hostedTurn(host, await warmSession(host)),
  });
  return [
    lineOf(
      "until the first text",
      compare(rounds, ({ first }) => first),
    ),
    lineOf(
      "until its end",
      compare(rounds, ({ whole }) => whole),
    ),
  ];
}

const lineOf = (what: string, { difference, subject, baseline }: Paired): Line => ({
  what: `added to a warm turn of 60 chunks, ${what}`,
  against: "bare streamText, same model",
  unit: "ms",
  measured: difference,
  budget: null,
  note: `${digits(subject)} to ${digits(baseline)} ms`,
});

async function warmSession(host: SessionHost): Promise<string> {
  const { id } = await host.create({});
  await hostedTurn(host, id);
  return id;
}

async function hostedTurn(host: SessionHost, id: string): Promise<Times> {
  const after = await host.cursor(id);
  const events = host.events(id, { after });
  const from = performance.now();
  let first = Number.NaN;
  await host.submit(id, { text: prompt });
  for await (const { event } of events) {
    if (event.type === "chunk" && event.chunk.type === "text-delta" && Number.isNaN(first))
      first = performance.now() - from;
    if (event.type === "turn.settled") break;
  }
  return { first, whole: performance.now() - from };
}

const model = scriptedModel();

async function bareTurn(): Promise<Times> {
  const from = performance.now();
  let first = Number.NaN;
  const result = streamText({ model, prompt, maxRetries: 0 });
  for await (const chunk of result.toUIMessageStream())
    if (chunk.type === "text-delta" && Number.isNaN(first)) first = performance.now() - from;
  return { first, whole: performance.now() - from };
}
