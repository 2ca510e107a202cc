/** Checks of the line between a driver and an agent that is a process, each under one fault of the wire. */
import { checksOf } from "../check.ts";
import type { Link, Sent } from "../link.ts";
import type { ContractScene } from "../scene.ts";
import * as faults from "../wire/faults.ts";
import { type Fault, WireTap } from "../wire/wire-tap.ts";
import { hardText } from "./parts.ts";
import { completed, sayWhole, scenarioText } from "./play.ts";

/** Places of one fault, unless the adapter says otherwise. */
const defaultFaultPoints = 8;
/** Places at which an agent falls silent: each may cost the whole grace of a driver's close. */
const silentPoints = 2;

function tapped(scene: ContractScene): WireTap {
  const tap = new WireTap();
  scene.processes.tamper = (child) => tap.wrap(child);
  return tap;
}
/** At most `count` of the numbers below `total`, evenly spread, with the first and the last. */
function spread(total: number, count: number): readonly number[] {
  const steps = Math.max(1, Math.min(total, count) - 1);
  const points = Array.from({ length: steps + 1 }, (_, step) => Math.floor(((total - 1) * step) / steps));
  return [...new Set(points.filter((point) => point >= 0))];
}
const pointsOf = ({ adapter }: ContractScene): number => adapter.wire?.faultPoints ?? defaultFaultPoints;
const isTextLine = (scene: ContractScene) => (line: Buffer) =>
  adapterKnows(scene)?.(line.toString()) ?? line.includes(scene.marker);
const adapterKnows = ({ adapter }: ContractScene) => adapter.wire?.isText;

/** Lines the agent writes while a connection opens and in one turn, without a fault. */
async function linesOf(scene: ContractScene, tap: WireTap): Promise<{ opening: number; turn: number; text: number }> {
  tap.arm();
  const link = await scene.connect();
  const opening = tap.lines.length;
  tap.arm();
  await sayWhole(scene, link, scene.marker);
  const [turn, text] = [tap.lines.length, tap.lines.findIndex(isTextLine(scene))];
  await link.close("idle");
  return { opening, turn, text };
}
/** Runs one turn on a new connection, with the fault from the turn's first line on. */
async function faulty(scene: ContractScene, tap: WireTap, fault: Fault): Promise<{ link: Link; sent: Sent }> {
  tap.arm();
  const link = await scene.connect();
  tap.arm(fault);
  return { link, sent: link.sendUnheard(scenarioText(scene, scene.marker)) };
}
const over = (scene: ContractScene, link: Link): Promise<void> =>
  scene.deadline.within("the events to end", link.read(), () => link.story);
function mustBeGone(scene: ContractScene): void {
  scene.must(scene.processes.list().length === 0, "a process is left");
}
/** The fault broke no other rule. */
function mustBeSound(scene: ContractScene): void {
  const { findings } = scene;
  scene.must(findings.length === 0, findings.map(({ requirement, text }) => `${requirement}: ${text}`).join("; "));
}
/** Everything as in any other turn. */
async function mustAnswer(scene: ContractScene, fault: Fault): Promise<Link> {
  const tap = tapped(scene);
  tap.arm(fault);
  const link = await scene.connect();
  await sayWhole(scene, link, hardText);
  await sayWhole(scene, link, "and on");
  return link;
}

export const wireChecks = checksOf({
  "wire/killed-opening": async (scene) => {
    const tap = tapped(scene);
    const { opening } = await linesOf(scene, tap);
    for (const at of spread(Math.max(1, opening), pointsOf(scene))) {
      tap.arm(faults.killAt(at));
      const connecting = scene.connect();
      if (opening === 0) await scene.processes.kill();
      const link = await connecting.catch((cause: unknown) => {
        scene.must(!String(cause).includes("waited"), `killed at line ${at}: ${String(cause)}`);
        return null;
      });
      if (link !== null) await over(scene, link);
      await link?.close("failure");
      mustBeGone(scene);
    }
  },

  "wire/killed": async (scene) => {
    const tap = tapped(scene);
    const { turn, text } = await linesOf(scene, tap);
    for (const at of spread(turn, pointsOf(scene))) {
      const { link, sent } = await faulty(scene, tap, faults.killAt(at));
      await over(scene, link);
      const isWhole = link.all("turn-complete").some(({ outcome }) => outcome === "completed");
      scene.must(!isWhole || at > text, `killed at line ${at}, and told as completed`);
      scene.must(!isWhole || link.said(sent.turnId).trim() === scene.marker, "half a text is told as completed");
      await link.close("failure");
      mustBeGone(scene);
    }
  },

  "wire/silent": async (scene) => {
    const tap = tapped(scene);
    const { turn } = await linesOf(scene, tap);
    for (const at of spread(turn, silentPoints)) {
      const { link, sent } = await faulty(scene, tap, faults.silentFrom(at));
      // A host gives an interrupt its time, and then closes.
      void link.connection.abortTurn(sent.turnId).catch(() => undefined);
      await link.close("stop");
      mustBeGone(scene);
    }
  },

  "wire/noise": async (scene) => {
    await mustAnswer(scene, faults.noise);
    mustBeSound(scene);
  },

  "wire/duplicate": async (scene) => {
    const tap = tapped(scene);
    tap.arm(faults.twice);
    const link = await scene.connect();
    const sent = await link.send(scenarioText(scene, scene.marker));
    await completed(scene, link, sent);
    scene.must(link.said(sent.turnId).includes(scene.marker), `it says "${link.said(sent.turnId)}"`);
    await completed(scene, link, await link.send(scenarioText(scene, "again")));
    await link.close("idle");
    mustBeSound(scene);
  },

  "wire/late": async (scene) => {
    const tap = tapped(scene);
    tap.arm();
    const link = await scene.connect();
    tap.arm();
    const { turnId } = await sayWhole(scene, link, scene.marker);
    const late = tap.lines.map((line) => Buffer.concat([line, Buffer.from("\n")]));
    const heard = link.events.length;
    tap.inject(Buffer.concat(late));
    await sayWhole(scene, link, "the next one");
    const told = link.events.slice(heard).filter((event) => "turnId" in event && event.turnId === turnId);
    scene.must(told.length === 0, `of the turn that is over: ${told.map(({ type }) => type).join(", ")}`);
    const opened = link.all("autonomous-turn-state");
    scene.must(opened.length === 0, "what came late was taken for a turn of the agent's own");
    const said = JSON.stringify(link.events.slice(heard));
    scene.must(!said.includes(scene.marker), "what came late was told in the next turn");
  },

  "wire/flood": async (scene) => {
    const tap = tapped(scene);
    for (const isReadLate of [false, true]) {
      tap.arm();
      const link = await (isReadLate ? scene.connectUnread() : scene.connect());
      const flooded = Promise.withResolvers<void>();
      tap.arm(faults.flood(isTextLine(scene), flooded.resolve));
      const sent = await link.send(scenarioText(scene, scene.marker));
      await scene.deadline.within("the text to flood", flooded.promise);
      void link.read(); // never rejects
      await completed(scene, link, sent);
      const told = link.said(sent.turnId).split(scene.marker).length - 1;
      scene.must(told > faults.floodLines, `${told} of ${faults.floodLines} were told`);
      await link.close("idle");
    }
  },

  "wire/framing": async (scene) => {
    const link = await mustAnswer(scene, faults.pieces);
    await link.close("idle");
    await mustAnswer(scene, faults.inPairs());
  },

  "wire/long-line": async (scene) => {
    const limit = scene.adapter.wire?.maxLineBytes ?? 0;
    const tap = tapped(scene);
    const link = await scene.connect();
    tap.arm(longBeforeFirst(limit));
    await sayWhole(scene, link, "within the limit");
    tap.arm(longBeforeFirst(limit + 1));
    const end = await link.turn({ prompt: scenarioText(scene, "above the limit") });
    scene.must(end.type === "error", `above the limit the turn ended with ${end.type}`);
    if (end.type === "error") scene.must(/\d/.test(end.message), `"${end.message}" does not name the limit`);
    tap.arm();
    const next = link.isOver ? null : await sayWhole(scene, link, "and on").catch(() => null);
    if (next === null) await over(scene, link);
  },

  "wire/end-of-input": async (scene) => {
    const tap = tapped(scene);
    const { turn } = await linesOf(scene, tap);
    for (const at of spread(turn, silentPoints)) {
      const { link } = await faulty(scene, tap, faults.closedAt(at));
      await over(scene, link);
      await link.close("failure");
      mustBeGone(scene);
    }
  },
});

const longBeforeFirst =
  (bytes: number): Fault =>
  (line, wire, nth) => {
    if (nth === 0) wire.write(Buffer.concat([faults.longLine(bytes), Buffer.from("\n")]));
    wire.write(Buffer.concat([line, Buffer.from("\n")]));
  };
