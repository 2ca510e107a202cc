/** Kills one host in one phase, has another one recover, and judges what is there: at once, and after people went on. */
import { setTimeout as pause } from "node:timers/promises";
import { changedSince } from "./checker/changed-since.ts";
import { check } from "./checker/check.ts";
import { type Evidence, type Finding, found } from "./checker/evidence.ts";
import { askedAgain } from "./checker/model-rules.ts";
import type { Stored } from "./checker/stored.ts";
import type { Child } from "./child.ts";
import type { Order, Phase } from "./order.ts";
import { type Mark, plans } from "./plans.ts";
import { Scene } from "./scene.ts";

/** Milliseconds after its mark within which a host is killed, if its plan names no others. */
const killWithinMs = 40;

export type Crash = {
  /** Where in the phase the kill found the host; null: it came too early or too late. */
  readonly hit: string | null;
  readonly findings: readonly Finding[];
};

/** `moment`: when to kill, from 0 up to 1. */
export async function crash(phase: Phase, moment: number): Promise<Crash> {
  const scene = await Scene.open(phase);
  try {
    const died = await killInPhase(scene, phase, moment);
    if (died !== null) return { hit: null, findings: found("a host runs until it is killed", [died]) };
    const left = await scene.leftBehind();
    return { hit: plans[phase].hit(left), findings: await recoverAndCheck(scene, left) };
  } finally {
    await scene.close();
  }
}

/** Null, or why there was nothing to kill. */
async function killInPhase(scene: Scene, phase: Phase, moment: number): Promise<string | null> {
  const { mark, again, withinMs = killWithinMs } = plans[phase];
  const afterMs = moment * withinMs;
  const died = await killAfter(scene, { part: "run", mark, afterMs });
  return died === null && again ? killAfter(scene, { part: "recover", mark: again, afterMs }) : died;
}
type Kill = {
  readonly part: Order["part"];
  readonly mark: Mark;
  readonly afterMs: number;
};
async function killAfter(scene: Scene, { part, mark, afterMs }: Kill): Promise<string | null> {
  const asked = "request" in mark ? scene.asked(mark.request) : null;
  const child = scene.start(part);
  const marked = "line" in mark ? child.until(mark.line) : Promise.race([asked, child.ended()]);
  if ((await marked) !== true) return (await child.ended()) ?? "it ended by itself";
  await pause(afterMs); // waits for nothing: the moment of the kill is what is tried
  await child.kill();
  return null;
}

async function recoverAndCheck(scene: Scene, left: Evidence): Promise<readonly Finding[]> {
  const child = scene.start("recover");
  if (!(await child.until(({ say }) => say === "recovered"))) return failed(child);
  const recovered = scene.now();
  const first = [
    ...(mayStart(left.stored) ? [] : check(recovered)),
    ...changedSince(left.stored, recovered.stored),
    ...askedAgain(left.requests, recovered.requests),
    ...found("no tool outlives the recovery", (await scene.livingTools()).map(String)),
  ];
  child.goOn();
  if (!(await child.until(({ say }) => say === "done"))) return [...first, ...(await failed(child))];
  await child.ended();
  const end = scene.now();
  const last = [...check(end), ...changedSince(recovered.stored, end.stored)];
  return [...first.map(at("after recovery")), ...last.map(at("at the end"))];
}
/** Without an open turn a host starts by itself what waits: then nothing is at rest when it has recovered. */
const mayStart = ({ turns, inputs }: Stored): boolean =>
  turns.every(({ status }) => status !== "open") && inputs.some(({ state }) => state === "queued");
const at =
  (when: string) =>
  ({ rule, what }: Finding): Finding => ({ rule, what: `${what} (${when})` });

async function failed(child: Child): Promise<readonly Finding[]> {
  await child.kill();
  return found("a host recovers, goes on and ends", [(await child.ended()) ?? "it ended too early"]);
}
