import { expect, test } from "vitest";
import type { Effect } from "../../session/events.ts";
import { freshCarry, start } from "../../session/recover.ts";
import { nothingStored } from "../../testing/nothing-stored.ts";
import { defaultLimits } from "../limits.ts";
import { Mailbox } from "./mailbox.ts";

const target = {
  revision: 1,
  tighten: false,
  queueAfter: "hold",
  onResumeFailed: "ask",
  hooks: { beforeTurn: false, beforeSettle: false },
  unattended: "deny",
} as const;

function mailbox(perform: (effect: Effect, made: Mailbox, told: string[]) => void) {
  const told: string[] = [];
  const [state, effects] = start(nothingStored, freshCarry(target, defaultLimits.session, {}));
  const made: Mailbox = new Mailbox(
    {
      perform: (effect) => {
        told.push(effect.type);
        perform(effect, made, told);
      },
      settled: () => told.push("settled"),
      broken: (what) => told.push(what),
    },
    state,
  );
  made.begin(effects);
  return { mailbox: made, told };
}

test("an event posted while another is applied waits behind it", () => {
  const { mailbox: m, told } = mailbox((effect, made, performed) => {
    if (effect.type !== "save") return;
    made.post({ type: "recovered" });
    made.post({ type: "saved", save: effect.save });
    performed.push("performed");
  });
  expect(told).toEqual(["save", "performed", "settled"]);
  expect(m.state.holds).toEqual({});
  expect(m.state.saved).toBe(1);
});

test("a bug reloads the session once; a second before it is read gives it up", () => {
  const { mailbox: m, told } = mailbox((effect) => {
    if (effect.type === "connect" || effect.type === "reload") throw new TypeError("bug");
  });
  m.post({ type: "recovered" });
  m.post({ type: "saved", save: 1 });
  m.post({ type: "prime" });
  expect(told.slice(told.indexOf("connect"))).toEqual(["connect", "reloading", "close", "reload", "given-up"]);
  const before = told.length;
  m.post({ type: "prime" });
  expect(told.length).toBe(before);
});

test("a reloaded session is sound again", () => {
  let bugs = 2;
  const { mailbox: m, told } = mailbox((effect) => {
    if (effect.type === "connect" && bugs-- > 0) throw new TypeError("bug");
  });
  for (let i = 0; i < 2; i++) {
    m.post({ type: "recovered" });
    m.post({ type: "saved", save: m.state.saves });
    m.post({ type: "prime" });
    expect(m.state.phase.kind).toBe("reloading");
    m.post({ type: "closed", connection: m.state.connections, returned: [] });
    m.post({ type: "reloaded", stored: nothingStored });
    expect(m.state.phase.kind).toBe("idle");
  }
  expect(told.filter((what) => what === "reloading").length).toBe(2);
  expect(told).not.toContain("given-up");
});
