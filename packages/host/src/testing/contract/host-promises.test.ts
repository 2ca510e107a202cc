/**
 * A host whose driver breaks a rule keeps its promises all the same: for every rule-breaking fake, a session with turns
 * of every kind comes to rest, with nothing accepted lost, nothing open, and everything a viewer saw as it is stored.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionHost } from "../../host/api.ts";
import { createHost } from "../../host/create-host.ts";
import { defaultLimits } from "../../host/limits.ts";
import type { Store } from "../../ports/store.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import { foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import { endedInputStates } from "../../protocol/input.ts";
import { createMemoryStore } from "../../stores/memory.ts";
import { countingIds } from "../counting-ids.ts";
import { Reader } from "../test-host.ts";
import { VirtualClock } from "../virtual-clock.ts";
import type { ContractAdapter, Stage } from "./adapter.ts";
import { fakeAdapter } from "./fake/fake-adapter.ts";
import { sabotaged } from "./fake/sabotage.ts";
import { sabotageIds, sabotages } from "./fake/sabotages.ts";

/** Longer than every deadline of a turn, in milliseconds; none of it is waited for. */
const anyDeadlineMs = 4_000_000;
const place = { workspace: "", home: "", scratch: "" };

type WorldParts = {
  readonly host: SessionHost;
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly stage: Stage;
  readonly session: string;
  readonly directory: string;
};

class World {
  readonly #host: SessionHost;
  readonly #store: Store;
  readonly #clock: VirtualClock;
  readonly #stage: Stage;
  readonly #session: string;
  readonly #directory: string;
  readonly #reader: Reader;
  readonly #accepted: string[] = [];
  #answers = 0;

  private constructor({ host, store, clock, stage, session, directory }: WorldParts) {
    this.#host = host;
    this.#store = store;
    this.#clock = clock;
    this.#stage = stage;
    this.#session = session;
    this.#directory = directory;
    this.#reader = new Reader(host, session);
  }
  static async open(adapter: ContractAdapter, directory: string): Promise<World> {
    const stage = await adapter.open(place);
    const [clock, ids] = [new VirtualClock(), countingIds()];
    const store = createMemoryStore({ ids, clock });
    const limits = { ...defaultLimits, foldAfterMs: Number.MAX_SAFE_INTEGER };
    const host = await createHost({
      store,
      drivers: [adapter.driver],
      dataDir: directory,
      roots: [],
      clock,
      ids,
      limits,
    });
    await host.agents.add({ name: "agent", driver: "fake", model: stage.model });
    const { id: session } = await host.create({});
    return new World({ host, store, clock, stage, session, directory });
  }

  // --- a life -----------------------------------------------------------------------------------------------------

  async live(): Promise<void> {
    const { scenarios } = this.#stage;
    await this.#turn(scenarios.text?.("hello").prompt);
    await this.#turn(scenarios.tool?.().prompt);
    await this.#turn(scenarios.twoTools?.().prompt);
    await this.#steered();
    await this.#turn(scenarios.flow?.().prompt);
    await this.#turn(scenarios.failure?.().prompt);
    await this.#turn(scenarios.background?.().prompt, () => scenarios.background?.().finish());
    await this.#turn(scenarios.autonomous?.().prompt, () => scenarios.autonomous?.().begin());
    await this.#host.compact(this.#session).catch(() => undefined);
    await this.#rest();
    await this.#turn(scenarios.silence?.().prompt, () => this.#stop());
    await this.#turn(scenarios.text?.("goodbye").prompt);
    await this.#host.close(this.#session).catch(() => undefined);
    await this.#rest();
  }
  async #steered(): Promise<void> {
    const held = this.#stage.scenarios.heldTool?.();
    await this.#submit(held?.prompt);
    await this.#ticks();
    await this.#submit("to the left");
    await this.#ticks();
    await held?.release();
    await this.#rest();
  }
  async #turn(prompt: string | undefined, then: () => Promise<void> | undefined = async () => {}): Promise<void> {
    await this.#submit(prompt);
    await this.#ticks();
    await then();
    await this.#rest();
  }
  async #submit(text = "hello"): Promise<void> {
    const receipt = await this.#host.submit(this.#session, { text }).catch(() => null); // busy: nothing was promised
    if (receipt !== null) this.#accepted.push(receipt.inputId);
  }
  async #stop(): Promise<void> {
    const { turn } = await this.#host.get(this.#session);
    if (turn) await this.#host.stop(this.#session, turn.id);
  }

  // --- to its rest ------------------------------------------------------------------------------------------------

  /** Lets the host do what it can: its waits for files end while these are waited for. */
  async #ticks(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      await stat(this.#directory);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async #rest(): Promise<void> {
    for (let round = 0; round < 40; round++) {
      await this.#ticks();
      for (const { id } of await this.#host.approvals({ open: true })) {
        const decision = this.#answers++ % 2 === 0 ? "allow" : "deny";
        await this.#host.answer(id, { decision }).catch(() => undefined);
      }
      await this.#host
        .inputs(this.#session)
        .release()
        .catch(() => undefined);
      const { state } = await this.#host.get(this.#session);
      if (state === "idle") return;
      if (round % 4 === 3) this.#clock.advance(anyDeadlineMs);
    }
  }

  // --- the promises -----------------------------------------------------------------------------------------------

  async mustKeepPromises(): Promise<void> {
    const { state } = await this.#host.get(this.#session);
    assert(state === "idle" || state === "held", `it is ${state}, and should rest`);
    for (const id of this.#accepted) {
      const input = await this.#host.inputs(this.#session).get(id);
      assert(input.state === "held" || endedInputStates.includes(input.state), `${id} is ${input.state}`);
    }
    const turns = await this.#store.query.turns(1, { limit: 500 });
    for (const { id, status } of turns) assert(status !== "open" && status !== "waiting", `${id} is ${status}`);
    assert.deepEqual(await this.#host.approvals({ open: true }), []);
    await this.#mustHaveShownWhatIsStored(await this.#store.events(1, 0, 100_000));
  }
  async #mustHaveShownWhatIsStored(stored: readonly StoredEvent[]): Promise<void> {
    await this.#ticks();
    await this.#reader.stop();
    const seen = this.#reader.seen.map((event) => "seq" in event && [event.seq, event.event]);
    assert.deepEqual(
      seen,
      stored.map(({ seq, event }) => [seq, event]),
    );
    const folds = new Map<string, ReturnType<typeof startFold>>();
    for (const { event } of stored) {
      if (event.type === "message.opened") folds.set(event.messageId, startFold(event.messageId));
      const fold = "messageId" in event && event.messageId !== undefined ? folds.get(event.messageId) : undefined;
      if (event.type === "chunk" && fold) foldChunk(fold, event.chunk);
      if (event.type === "message.dropped") folds.delete(event.messageId);
      if (event.type !== "message.closed" || !fold) continue;
      assert.deepEqual(event.message?.parts, snapshot(fold).parts);
      folds.delete(event.messageId);
    }
    assert.equal(folds.size, 0, "a message is still open");
  }
  /** How each accepted input ended, in their order. */
  ends(): Promise<readonly string[]> {
    const inputs = this.#host.inputs(this.#session);
    return Promise.all(
      this.#accepted.map(async (id) => {
        const { state, reason } = await inputs.get(id);
        return [state, ...(reason === null ? [] : [reason])].join(" ");
      }),
    );
  }
  async end(): Promise<void> {
    await this.#stage.end();
  }
}

async function keepsPromises(adapter: ContractAdapter): Promise<readonly string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "mooring-promises-"));
  const world = await World.open(adapter, dataDir);
  try {
    await world.live();
    await world.mustKeepPromises();
    return await world.ends();
  } finally {
    await world.end();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("a life with a driver that keeps the rules has turns of every kind", async () => {
  expect(await keepsPromises(fakeAdapter("fake"))).toEqual([
    "answered", // a text
    "answered", // a tool that was allowed
    "answered", // two tools, one of them denied
    "answered", // a tool at work
    "answered", // and the steer it took
    "answered", // a sub-agent
    "unanswered failed",
    "answered", // work left behind
    "answered", // a turn of the agent's own
    "unanswered stopped",
    "answered",
  ]);
});

for (const id of sabotageIds.filter((name) => !name.startsWith("environment/"))) {
  const sabotage = sabotages[id];
  test(`a host whose driver ${sabotage.what} keeps its promises`, async () => {
    await keepsPromises(sabotaged(fakeAdapter(sabotage.kind ?? "fake"), sabotage));
  });
}
