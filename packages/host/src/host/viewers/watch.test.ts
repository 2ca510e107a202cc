import { afterEach, expect, test } from "vitest";
import { type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { HostEvent, SessionHost } from "../api.ts";

let world: TestHost;
afterEach(() => world.end());
const start = async (options: TestHostOptions = {}): Promise<void> => {
  world = await testHost(options);
};

/** Watches all sessions in the background. */
class Viewer {
  readonly seen: HostEvent[] = [];
  readonly done: Promise<unknown>;
  readonly #stop = new AbortController();
  #waiting: (() => void)[] = [];

  constructor(host: SessionHost) {
    this.done = this.#read(host).catch((cause: unknown) => cause);
  }
  async #read(host: SessionHost): Promise<void> {
    for await (const event of host.watch({ signal: this.#stop.signal })) {
      this.seen.push(event);
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
  async until<T extends HostEvent["type"]>(
    type: T,
    fits: (event: Extract<HostEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<HostEvent, { type: T }>> {
    for (;;) {
      const found = this.seen.find((e): e is Extract<HostEvent, { type: T }> => e.type === type && fits(e as never));
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.done;
  }
}

test("first the list as it is and what is asked, then what changes, each as the list shows it", async () => {
  await start();
  const { host, driver } = world;
  const [old, busy] = [await world.session(), await world.session()];
  await host.submit(busy, { text: "one" });
  const agent = await driver.connections.next();
  const { turnId } = await agent.sends.next();
  agent.ask(turnId, "apr_1", "call_1");
  const viewer = new Viewer(host);
  const asked = await viewer.until("approval.requested", ({ approvalId }) => approvalId === "apr_1");
  expect(asked).toMatchObject({ sessionId: busy, toolName: "bash", turnId });
  const snapshot = await viewer.until("snapshot");
  expect(viewer.seen[0]).toBe(snapshot);
  expect(snapshot.sessions.map(({ id }) => id)).toEqual([busy, old]);
  expect(snapshot).toMatchObject({ next: null, sessions: [{ turn: "open" }, { turn: null }] });
  await viewer.until("session.changed", ({ session }) => session?.turn === "waiting" && session.openApprovals === 1);

  const again = new Viewer(host);
  expect(await again.until("snapshot")).toMatchObject({ approvals: [{ id: "apr_1", sessionId: busy }] });
  await again.stop();

  await host.answer("apr_1", { decision: "deny" });
  expect(await viewer.until("approval.closed")).toMatchObject({ approvalId: "apr_1", how: "deny" });
  agent.complete(turnId);
  await viewer.until("session.changed", ({ session }) => session?.id === busy && session.turn === null);
  await viewer.stop();
});

test("sessions that are made, named, removed and restored are told; what a turn says is not", async () => {
  await start({ driver: { mode: "echo" } });
  const { host } = world;
  const viewer = new Viewer(host);
  await viewer.until("snapshot");
  const id = await world.session();
  expect(await viewer.until("session.changed")).toMatchObject({ sessionId: id, session: { id, turn: null } });
  await host.update(id, { title: "Named" });
  await viewer.until("session.changed", ({ session }) => session?.title === "Named");
  await host.submit(id, { text: "say much" });
  await viewer.until("session.changed", ({ session }) => session?.turn === null && session.updatedAt > 0);
  await host.remove(id);
  expect(await viewer.until("session.changed", ({ session }) => session === null)).toMatchObject({ sessionId: id });
  const before = viewer.seen.length;
  await host.restore(id);
  while (viewer.seen.length === before) await viewer.until("session.changed", () => viewer.seen.length > before);
  expect(viewer.seen.at(-1)).toMatchObject({ session: { id, title: "Named" } });
  expect(new Set(viewer.seen.map(({ type }) => type))).toEqual(new Set(["snapshot", "session.changed"]));
  await viewer.stop();
});

test("the list is bounded, and says where it goes on", async () => {
  await start({ limits: { watchSessions: 2 } });
  const ids = [await world.session(), await world.session(), await world.session()];
  const viewer = new Viewer(world.host);
  const { sessions, next } = await viewer.until("snapshot");
  expect(sessions.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const older = await world.host.list({ after: next ?? "" });
  expect(older.items.map(({ id }) => id)).toEqual([ids[0]]);
  await viewer.stop();
});

test("several changes of a session a viewer did not take are one; many more than its bound cut it, and it begins again", async () => {
  await start({ limits: { subscriberBytes: 1_000 } });
  const { host } = world;
  const events = host.watch()[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: "snapshot" });
  const id = await world.session();
  for (const title of ["a", "b", "c"]) await host.update(id, { title });
  expect((await events.next()).value).toMatchObject({ type: "session.changed", session: { title: "c" } });
  for (let i = 0; i < 6; i++) await world.session();
  await expect(events.next()).rejects.toMatchObject({ code: "slow-subscriber", retry: "now" });
  const viewer = new Viewer(host);
  expect((await viewer.until("snapshot")).sessions).toHaveLength(7);
  await viewer.stop();
  expect(await viewer.done).toBeUndefined();
});
