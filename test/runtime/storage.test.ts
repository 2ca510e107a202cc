/** What a session and its store owe each other: names, one owner, and a store that says no. */
import { StoreRefused, systemClock, systemIds } from "@mooring/host";
import type { Store } from "@mooring/host/driver";
import { createMemoryStore } from "@mooring/host/memory";
import { createAgentSessionFromServices, SessionManager } from "@mooring/host/runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ear, RuntimeWorld } from "./runtime-world.ts";

/** A store that is full while it is told to be. */
function fillable(): { readonly store: Store; full: boolean } {
  const inner: Store = createMemoryStore({ ids: systemIds, clock: systemClock });
  const made = { store: inner, full: false };
  const write: Store["write"] = (...call) =>
    made.full ? Promise.reject(new StoreRefused("full", "The disk is full.")) : inner.write(...call);
  made.store = new Proxy(inner, {
    get: (target, name) => {
      const value: unknown = name === "write" ? write : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return made;
}
let world: RuntimeWorld;
let disk: ReturnType<typeof fillable>;
beforeEach(async () => {
  disk = fillable();
  world = await RuntimeWorld.open("memory", { store: disk.store });
});
afterEach(() => world.end());

test("B009: a stored session whose agent is gone opens with a message, and refuses prompts", async () => {
  const session = await world.session();
  await session.prompt("#say one");
  const [agent] = await world.host.stored.agents.list();
  await session.dispose();
  await world.host.stored.agents.remove(agent?.id ?? "");
  const made = await world.create([], { sessionManager: SessionManager.open(session.sessionId) });
  expect(made.modelFallbackMessage).toMatch(/removed/);
  expect((await made.session.getMessages()).length).toBe(2);
  await expect(made.session.prompt("#say two")).rejects.toMatchObject({ code: "agent-gone" });
});

test("B110: a store that refuses is a typed error, and the session is at rest and usable again after it", async () => {
  const session = await world.session();
  await session.prompt("#say one");
  disk.full = true;
  await expect(session.prompt("#say two")).rejects.toMatchObject({ code: "unavailable" });
  expect(session.isIdle).toBe(true);
  disk.full = false;
  await session.waitForIdle();
  const ear = new Ear(session);
  const again = async (): Promise<void> => {
    await session.prompt("#say three").catch(async (cause: { readonly code: unknown }) => {
      if (cause.code !== "unavailable") throw cause;
      await new Promise(setImmediate); // the session is being read again
      await again();
    });
  };
  await again();
  expect(ear.said).toBe("three");
});

test("B154: an entry that is refused is nowhere, and the next one has its place", async () => {
  const session = await world.session();
  await session.prompt("#say one");
  const before = await session.tree.read();
  disk.full = true;
  await expect(session.appendCustomEntry("lost")).rejects.toMatchObject({ code: "full" });
  disk.full = false;
  expect(await session.tree.read()).toEqual(before);
});

test("B151: an id that cannot be one is refused before anything is made", () => {
  for (const id of ["", "a b", "../x", "ses_1", "x".repeat(129)])
    expect(() => SessionManager.create(world.cwd, { id })).toThrow(expect.objectContaining({ code: "bad-session" }));
  expect(SessionManager.create(world.cwd, { id: "mine-1" }).getSessionId()).toBe("mine-1");
});

test("B152: a session has one owner in a program; the next may have it when that one let go", async () => {
  const session = await world.session();
  await session.prompt("#say one");
  const services = await world.services();
  const open = () =>
    createAgentSessionFromServices({ services, sessionManager: SessionManager.open(session.sessionId) });
  await expect(open()).rejects.toMatchObject({ code: "session-attached" });
  await session.dispose();
  const other = (await open()).session;
  await other.prompt("#say two");
  expect((await other.getMessages()).length).toBe(4);
});

test("B131: a second compaction right after the first says why it is none", async () => {
  const session = await world.session();
  await session.prompt("#say a long story");
  await session.prompt("#say and more of it");
  await session.compact();
  await expect(session.compact()).rejects.toMatchObject({ code: "compaction-failed" });
});
