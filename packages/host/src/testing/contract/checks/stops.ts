/** Checks of a stop in every phase of a turn. */
import { checksOf } from "../check.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, stop } from "./play.ts";
import { held } from "./steers.ts";

async function stopped(scene: ContractScene, begin: () => Promise<void>): Promise<number> {
  const link = await scene.connect();
  const act = scene.scenario("tool")();
  const sent = await link.send(act.prompt);
  await begin();
  if (scene.requirement === "stop/approval") await link.next("tool-approval-request");
  await stop(scene, link, sent);
  await link.close("idle");
  return act.ran();
}

export const stopChecks = checksOf({
  "stop/text": async (scene) => {
    const link = await scene.connect();
    await stop(scene, link, await beginText(scene, link));
  },

  "stop/silence": async (scene) => {
    const link = await scene.connect();
    await stop(scene, link, await link.send(scene.scenario("silence")().prompt));
  },

  "stop/tool": async (scene) => {
    const { link, sent } = await held(scene);
    await stop(scene, link, sent);
    const outputs = link.chunks(sent.turnId, "tool-output-available").filter(({ preliminary }) => !preliminary);
    scene.must(outputs.length === 0, "the part of the tool that was cut is told as done");
  },

  "stop/tool-ended": async (scene) => {
    const { link, sent, act } = await held(scene);
    await stop(scene, link, sent);
    scene.must(!(await act.running()), "the tool is still at work");
  },

  "stop/approval": async (scene) => {
    scene.decide = async () => "ask";
    const ran = await stopped(scene, async () => {});
    scene.must(ran === 0, "the call ran");
  },

  "stop/policy": async (scene) => {
    let asked = (): void => {};
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    scene.decide = () => {
      asked();
      return new Promise(() => {});
    };
    const ran = await stopped(scene, () => scene.deadline.within("the policy to be asked", wasAsked));
    scene.must(ran === 0, "the call ran");
  },

  "stop/retry": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("longRetry")().prompt);
    await link.next("api-retry");
    await stop(scene, link, sent);
  },

  "stop/ends-nothing": async (scene) => {
    const link = await scene.connect();
    const { turnId } = await beginText(scene, link);
    if ((await link.abort(turnId)) === "unsupported") return;
    const end = await link.end(turnId);
    scene.must(end.type === "turn-complete" && end.outcome === "stopped", `it ended with ${JSON.stringify(end)}`);
    if (end.type === "turn-complete") scene.must(end.answered.length === 0, "the input counts as answered");
  },

  "stop/settled": async (scene) => {
    const link = await scene.connect();
    const { turnId } = await sayWhole(scene, link, "over");
    const heard = link.events.length;
    const answer = await link.abort(turnId);
    scene.must(answer === "already-settled", `it was answered with ${answer}`);
    const told = link.events.slice(heard).filter((event) => "turnId" in event && event.turnId === turnId);
    scene.must(told.length === 0, `it told ${told.map(({ type }) => type).join(", ")}`);
    await sayWhole(scene, link, "and on");
  },

  "stop/other-turn": async (scene) => {
    const link = await scene.connect();
    const over = await sayWhole(scene, link, "over");
    const running = await beginText(scene, link);
    const answer = await link.abort(over.turnId);
    scene.must(answer === "already-settled", `it was answered with ${answer}`);
    await completed(scene, link, running);
  },

  "stop/twice": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    const answers = await Promise.all([link.abort(sent.turnId), link.abort(sent.turnId)]);
    if (answers.includes("unsupported")) return;
    await link.end(sent.turnId);
    await sayWhole(scene, link, "and on");
    const ends = link.all("turn-complete").filter(({ turnId }) => turnId === sent.turnId);
    scene.must(ends.length === 1, `the turn ended ${ends.length} times`);
  },

  "stop/next": async (scene) => {
    const link = await scene.connect();
    await stop(scene, link, await beginText(scene, link));
    if (link.isOver) return; // its host opens another connection
    await sayWhole(scene, link, "a clean page");
  },
});
