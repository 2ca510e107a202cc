import { expect, test, vi } from "vitest";
import { codeOf, StoreRefused } from "../protocol/errors.ts";
import { CommitQueue, type Job } from "./commit-queue.ts";
import { defaultStoreLimits, type StoreLimits } from "./limits.ts";

type Named = Job<string>;
type Done = { readonly name: string };
type Running = { readonly names: string[]; end(refused?: StoreRefused | ReadonlyMap<string, StoreRefused>): void };

const job = (name: string, lane: string | null = null, bytes = 1): Named => ({ payload: name, lane, bytes });

/** A queue whose flushes the test ends. */
class Bench {
  readonly queue: CommitQueue<Named, Done>;
  readonly running: Running[] = [];
  readonly #outcomes: Promise<string>[] = [];

  constructor(limits: Partial<StoreLimits> = {}) {
    this.queue = new CommitQueue<Named, Done>((jobs) => this.#flush(jobs), { ...defaultStoreLimits, ...limits });
  }

  add(...jobs: readonly Named[]): void {
    for (const one of jobs)
      this.#outcomes.push(this.queue.add(one, ({ name }) => name).catch((cause: unknown) => codeOf(cause, "unknown")));
  }

  /** Of every job so far, in the order they were added: its own name, or the code it was refused with. */
  outcomes(): Promise<string[]> {
    return Promise.all(this.#outcomes);
  }

  /** Names of each flush so far. */
  get flushed(): string[][] {
    return this.running.map(({ names }) => names);
  }

  #flush(jobs: readonly Named[]): Promise<(Done | StoreRefused)[]> {
    const names = jobs.map(({ payload }) => payload);
    return new Promise((resolve, reject) => {
      const end: Running["end"] = (refused) => {
        if (refused instanceof StoreRefused) reject(refused);
        else resolve(names.map((name) => refused?.get(name) ?? { name }));
      };
      this.running.push({ names, end });
    });
  }
}
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refused = (code: "constraint" | "full"): StoreRefused => new StoreRefused(code, "no");

test("jobs of one tick are one flush, at once", async () => {
  const bench = new Bench();
  bench.add(job("a"), job("b"));
  await Promise.resolve();
  expect(bench.flushed).toEqual([["a", "b"]]);
  bench.running[0]?.end();
  expect(await bench.outcomes()).toEqual(["a", "b"]);
});

test("what comes during a flush is the next one", async () => {
  const bench = new Bench();
  bench.add(job("a"));
  await tick();
  bench.add(job("b"));
  await tick();
  bench.add(job("c"));
  expect(bench.flushed).toEqual([["a"]]);
  bench.running[0]?.end();
  await tick();
  expect(bench.flushed).toEqual([["a"], ["b", "c"]]);
  bench.running[1]?.end();
  expect(await bench.outcomes()).toEqual(["a", "b", "c"]);
});

test("a busy writer collects until the flush interval is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const bench = new Bench({ flushMs: 20, flushBusyWrites: 2 });
    bench.add(job("a"));
    await tick();
    bench.add(job("b"), job("c"));
    vi.advanceTimersByTime(5);
    bench.running[0]?.end();
    await tick();
    bench.add(job("d"));
    vi.advanceTimersByTime(14);
    expect(bench.flushed).toEqual([["a"]]);
    vi.advanceTimersByTime(1);
    expect(bench.flushed).toEqual([["a"], ["b", "c", "d"]]);
  } finally {
    vi.useRealTimers();
  }
});

test("a busy writer with enough bytes does not wait, nor does one that is closed", async () => {
  const bench = new Bench({ flushMs: 60_000, flushBusyWrites: 2, flushBytes: 10 });
  bench.add(job("a"));
  await tick();
  bench.add(job("b"), job("c"));
  bench.running[0]?.end();
  await tick();
  expect(bench.flushed).toHaveLength(1);
  bench.add(job("d", null, 10));
  expect(bench.flushed.at(-1)).toEqual(["b", "c", "d"]);
  bench.add(job("e"), job("f"));
  bench.running[1]?.end();
  await tick();
  const closed = bench.queue.close();
  expect(bench.flushed.at(-1)).toEqual(["e", "f"]);
  bench.running[2]?.end();
  await closed;
});

test("one flush takes no more than its bytes, but always one job", async () => {
  const bench = new Bench({ batchBytes: 10, flushBytes: 1 });
  bench.add(job("a", null, 6), job("b", null, 6), job("c", null, 40), job("d", null, 5), job("e", null, 5));
  for (let at = 0; at < 4; at += 1) {
    await tick();
    bench.running[at]?.end();
  }
  await bench.outcomes();
  expect(bench.flushed).toEqual([["a"], ["b"], ["c"], ["d", "e"]]);
});

test("beyond the bytes that may wait, jobs are refused, and what follows them in their lane", async () => {
  const bench = new Bench({ queuedBytes: 10 });
  bench.add(job("a", "x", 6), job("b", "x", 6), job("c", "x", 1), job("d", "y", 1));
  await tick();
  bench.running[0]?.end();
  expect(await bench.outcomes()).toEqual(["a", "busy", "busy", "d"]);
  bench.add(job("e", "x", 10));
  await tick();
  bench.running[1]?.end();
  expect(await bench.outcomes()).toEqual(["a", "busy", "busy", "d", "e"]);
});

test("a refused job takes the waiting ones of its lane with it, and no others", async () => {
  const bench = new Bench();
  bench.add(job("a", "x"), job("b", "y"));
  await tick();
  bench.add(job("c", "x"), job("d", "y"), job("e"));
  bench.running[0]?.end(new Map([["a", refused("constraint")]]));
  await tick();
  expect(bench.flushed.at(-1)).toEqual(["d", "e"]);
  bench.running[1]?.end();
  expect(await bench.outcomes()).toEqual(["constraint", "b", "constraint", "d", "e"]);
});

test("a failed flush refuses all of it and what waits behind it in its lanes", async () => {
  const bench = new Bench();
  bench.add(job("a", "x"), job("b"));
  await tick();
  bench.add(job("c", "x"), job("d", "y"));
  bench.running[0]?.end(refused("full"));
  await tick();
  bench.running[1]?.end();
  expect(await bench.outcomes()).toEqual(["full", "full", "full", "d"]);
});

test("closing waits for what was accepted and refuses the rest", async () => {
  const bench = new Bench();
  bench.add(job("a"));
  const closed = bench.queue.close();
  bench.add(job("b"));
  await tick();
  bench.running[0]?.end();
  await closed;
  await bench.queue.close();
  expect(await bench.outcomes()).toEqual(["a", "closed"]);
  await new Bench().queue.close();
});
