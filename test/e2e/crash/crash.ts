/** Kills one host in one phase, has another one recover, and judges what is there: at once, and after people went on. */
import { setTimeout as pause } from "node:timers/promises";
import { check } from "./checker/check.ts";
import { type Evidence, type Finding, found } from "./checker/evidence.ts";
import { changedSince } from "./checker/unchanged.ts";
import type { Child } from "./child-process.ts";
import type { Phase } from "./order.ts";
import { plans } from "./plans.ts";
import { Scene } from "./scene.ts";

export type Crash = {
  /** The kill found the host in its phase. */
  readonly isHit: boolean;
  /** Milliseconds between the mark and the kill. */
  readonly delayMs: number;
  /** Tool processes that outlived their host. */
  readonly orphans: number;
  readonly findings: readonly Finding[];
};
export type Knobs = {
  /** From 0 up to 1: when to kill. */
  readonly moment: number;
  /** Where children keep compiled sources. */
  readonly cacheDir: string;
};

export async function crash(phase: Phase, knobs: Knobs): Promise<Crash> {
  const scene = await Scene.open(phase);
  try {
    const delayMs = await killInPhase(scene, phase, knobs);
    const left = scene.leftBehind();
    const orphans = await scene.livingTools();
    const findings = await recoverAndCheck(scene, left, knobs);
    return { isHit: plans[phase].isHit(left), delayMs, orphans: orphans.length, findings };
  } finally {
    await scene.close();
  }
}

async function killInPhase(scene: Scene, phase: Phase, { moment, cacheDir }: Knobs): Promise<number> {
  const { mark, withinMs } = plans[phase];
  const request = "request" in mark ? scene.asked(mark.request) : null;
  const child = scene.start("run", cacheDir);
  await (request ? Promise.race([request, child.ended()]) : child.until("line" in mark ? mark.line : () => false));
  const delayMs = moment * withinMs;
  await pause(delayMs); // not waiting for anything: the moment of the kill is what is tried
  await child.kill();
  return delayMs;
}

async function recoverAndCheck(scene: Scene, left: Evidence, { cacheDir }: Knobs): Promise<readonly Finding[]> {
  const child = scene.start("recover", cacheDir);
  if (!(await child.until(({ say }) => say === "recovered"))) return failed(child);
  const recovered = scene.now();
  const survivors = await scene.livingTools();
  const first = [
    ...check(recovered),
    ...changedSince(left.stored, recovered.stored),
    ...found("a tool does not outlive the recovery of its host", survivors.map(String)),
  ];
  child.goOn();
  if (!(await child.until(({ say }) => say === "done"))) return [...first, ...(await failed(child))];
  await child.ended();
  const end = scene.now();
  const last = [...check(end), ...changedSince(recovered.stored, end.stored)];
  return [...first.map(at("after recovery")), ...last.map(at("at the end"))];
}
const at =
  (when: string) =>
  ({ rule, what }: Finding): Finding => ({ rule, what: `${what} (${when})` });

async function failed(child: Child): Promise<readonly Finding[]> {
  await child.kill();
  return found("a host recovers, goes on and ends", [(await child.ended()) ?? "it ended too early"]);
}
