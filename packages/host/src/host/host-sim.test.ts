/**
 * Random schedules over the real shell: mailbox, scribe, committer, connections and subscribers, with a store that
 * refuses writes and a host that dies. Checks what a user is promised, on the rows and on what a reader saw.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import type { Store } from "../ports/store.ts";
import { StoreRefused } from "../protocol/errors.ts";
import type { StoredEvent } from "../protocol/events.ts";
import { foldChunk, snapshot, startFold } from "../protocol/fold.ts";
import type { InputId } from "../protocol/ids.ts";
import { endedInputStates } from "../protocol/input.ts";
import type { FakeConnection } from "../testing/fake-connection.ts";
import { Reader, type TestHost, testHost } from "../testing/test-host.ts";

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
const tick = () => new Promise((resolve) => setImmediate(resolve));

class World {
  readonly #test: TestHost;
  readonly #id: string;
  readonly #refuse: { next: boolean };
  readonly #holds: Disposable[] = [];
  readonly #accepted = new Set<InputId>();
  #reader: Reader;
  #serial = 0;

  private constructor(made: TestHost, id: string, refuse: { next: boolean }) {
    this.#test = made;
    this.#id = id;
    this.#refuse = refuse;
    this.#reader = new Reader(made.host, id);
  }
  static async start(): Promise<World> {
    const refuse = { next: false };
    const made = await testHost({ store: storesOf(refuse), limits: { foldAfterMs: Number.MAX_SAFE_INTEGER } });
    return new World(made, await made.session(), refuse);
  }
  end(): Promise<void> {
    return this.#test.end();
  }

  get #agents(): readonly FakeConnection[] {
    return this.#test.driver.connections.all.filter((agent) => agent.closes.all.length === 0);
  }
  async step(n: number): Promise<void> {
    const kind = n % 16;
    const rest = n >> 4;
    if (kind < 4) this.#submit(rest);
    else if (kind < 10) this.#act(rest);
    else if (kind === 10) await this.#stop();
    else if (kind === 11) await this.#answer(rest);
    else if (kind === 12) this.#hold(rest);
    else if (kind === 13) this.#test.clock.advance([10, 5_000, 60_000, 600_000][rest % 4] ?? 0);
    else if (kind === 14) await this.#fault(rest);
    if (n % 3 > 0) await tick();
    this.#count();
  }
  #submit(n: number): void {
    const id = `i${++this.#serial}`;
    const delivery = (["steer", "steer", "queue", "interrupt"] as const)[n % 4] ?? "steer";
    this.#test.host.submit(this.#id, { id, text: id, delivery }).then(
      () => this.#accepted.add(id),
      () => {}, // busy or unavailable: nothing was promised
    );
  }
  /** One thing the agent does in a turn it was sent. */
  #act(n: number): void {
    const agent = pick(this.#agents, n);
    const turn = agent?.sends.all.at(-1)?.turnId;
    if (!agent || turn === undefined) return;
    switch ((n >> 2) % 8) {
      case 0:
      case 1:
        return agent.say(turn, `text ${++this.#serial}`);
      case 2:
        return agent.chunk(turn, { type: "text-start", id: `open${++this.#serial}` });
      case 3:
      case 4: {
        const offered = agent.steers.all.filter((steer) => steer.turnId === turn).map((steer) => steer.inputId);
        return agent.emit({ type: "steer-boundary", turnId: turn, taken: offered.slice(0, 1 + (n % 2)) });
      }
      case 5:
        return agent.ask(turn, `apr_${++this.#serial}`, `c${this.#serial}`, n % 2 === 0);
      case 6:
        return agent.complete(turn);
      default:
        if (n % 5 === 0) agent.events.end();
        else if (n % 5 === 1)
          agent.emit({ type: "error", turnId: turn, code: "broke", message: "It broke.", retry: "never" });
    }
  }
  async #stop(): Promise<void> {
    const view = await this.#test.host.get(this.#id);
    if (view.turn) await this.#test.host.stop(this.#id, view.turn.id).catch(() => {});
  }
  async #answer(n: number): Promise<void> {
    const open = pick(await this.#test.host.approvals({ open: true }), n);
    if (open) await this.#test.host.answer(open.id, { decision: n % 2 === 0 ? "allow" : "deny" }).catch(() => {});
  }
  #hold(n: number): void {
    if (n % 2 === 0) this.#holds.push(this.#test.host.pause("test"));
    else this.#holds.pop()?.[Symbol.dispose]();
  }
  async #fault(n: number): Promise<void> {
    if (n % 3 !== 0) {
      this.#refuse.next = true;
      return;
    }
    this.#holds.length = 0; // they die with their host
    await this.#reader.stop();
    const before = this.#reader.seen;
    await this.#test.restart();
    this.#reader = new Reader(this.#test.host, this.#id, before.at(-1)?.cursor ?? (await this.#beginning()));
    this.#reader.seen.unshift(...before);
  }
  async #beginning(): Promise<string> {
    return (await this.#test.host.cursor(this.#id)).replace(/\d+$/, "0");
  }
  /** Nobody released anything, so nothing is sent twice. */
  #count(): void {
    const sends = this.#test.driver.connections.all.flatMap((agent) => agent.sends.all.map((turn) => turn.inputId));
    const times = new Map<InputId, number>();
    for (const id of sends) times.set(id, (times.get(id) ?? 0) + 1);
    for (const [id, count] of times) assert.equal(count, 1, `${id} was sent ${count} times`);
  }

  // --- at rest ----------------------------------------------------------------------------------------------------

  async rest(): Promise<void> {
    this.#refuse.next = false;
    for (const hold of this.#holds.splice(0)) hold[Symbol.dispose]();
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 6; i++) await tick();
      for (const approval of await this.#test.host.approvals({ open: true }))
        await this.#test.host.answer(approval.id, { decision: "deny" }).catch(() => {});
      for (const agent of this.#agents) this.#finish(agent);
      for (let i = 0; i < 6; i++) await tick();
      const view = await this.#test.host.get(this.#id);
      if (view.state === "idle" || view.state === "held") break;
      if (round % 4 === 3) this.#test.clock.advance(700_000);
    }
    await this.#check();
  }
  #finish(agent: FakeConnection): void {
    const turn = agent.sends.all.at(-1)?.turnId ?? agent.input.waiting?.turnId;
    if (turn === undefined) return;
    agent.say(turn, "end");
    agent.complete(turn);
  }
  async #check(): Promise<void> {
    const { host, store } = this.#test;
    const view = await host.get(this.#id);
    assert(view.state === "idle" || view.state === "held", `comes to rest, not ${view.state}`);
    for (const id of this.#accepted) {
      const { state } = await host.inputs(this.#id).get(id);
      assert(state === "held" || endedInputStates.includes(state), `${id} is ${state}`);
    }
    for (const turn of await store.query.turns(1, { limit: 500 }))
      assert(!["open", "waiting"].includes(turn.status), turn.id);
    assert.deepEqual(await host.approvals({ open: true }), []);
    await this.#checkJournal(await store.events(1, 0, 100_000));
  }
  /** What a reader saw is what is stored, without a gap; and each message is what its chunks make. */
  async #checkJournal(stored: readonly StoredEvent[]): Promise<void> {
    for (let i = 0; i < 50 && this.#reader.seen.length < stored.length; i++) await tick();
    await this.#reader.stop();
    assert.deepEqual(
      this.#reader.seen.map((event) => "seq" in event && [event.seq, event.event]),
      stored.map(({ seq, event }) => [seq, event]),
    );
    const folds = new Map<string, ReturnType<typeof startFold>>();
    for (const { event } of stored) {
      if (event.type === "message.opened") folds.set(event.messageId, startFold(event.messageId));
      const fold = "messageId" in event && event.messageId !== undefined ? folds.get(event.messageId) : undefined;
      if (event.type === "chunk" && fold) assert.equal(foldChunk(fold, event.chunk)?.code, undefined);
      if (event.type === "message.dropped") folds.delete(event.messageId);
      if (event.type !== "message.closed" || !fold) continue;
      assert.deepEqual(event.message?.parts, snapshot(fold).parts);
      folds.delete(event.messageId);
    }
    assert.equal(folds.size, 0, "every message that opened is closed");
  }
}
/** The store as one host sees it: it may refuse a write, and it has nothing more for a host that another replaced. */
function storesOf(refuse: { next: boolean }): (store: Store) => Store {
  let newest = 0;
  return (store) => {
    const mine = ++newest;
    const refused = new Set<number>(); // an epoch with one refused write writes no more: the port's rule
    const live = async <T>(call: () => Promise<T>): Promise<T> => {
      if (mine !== newest) throw new StoreRefused("lease-lost", "another host has it");
      return call();
    };
    const own: Partial<Store> = {
      claim: (session) => live(() => store.claim(session)),
      write: (session, epoch, writes) =>
        live(async () => {
          if (refuse.next) refused.add(epoch);
          refuse.next = false;
          if (refused.has(epoch)) throw new StoreRefused("io", "refused by the test");
          return store.write(session, epoch, writes);
        }),
    };
    return new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(key in own ? own : target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
}

const runs = Number(process.env["MOORING_HOST_SIM_RUNS"] ?? 40);
test(`${runs} random schedules keep the promises`, async () => {
  const property = fc.asyncProperty(fc.array(fc.nat(4095), { maxLength: 80, size: "max" }), async (choices) => {
    const world = await World.start();
    try {
      for (const choice of choices) await world.step(choice);
      await world.rest();
    } finally {
      await world.end();
    }
  });
  await fc.assert(property, { numRuns: runs });
});
