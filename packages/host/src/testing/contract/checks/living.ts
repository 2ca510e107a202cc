/** Checks of context and compaction, of work the agent does by itself, of copies, and of the end of a connection. */
import type { ContextUsage } from "../../../ports/driver.ts";
import { checksOf } from "../check.ts";
import type { Link, Named } from "../link.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, scenarioText } from "./play.ts";

type State = Named<"autonomous-turn-state">;
type Background = Named<"background-work-state">;

function mustBeUsage(scene: ContractScene, usage: ContextUsage | null | undefined): void {
  const { used, window } = usage ?? { used: Number.NaN, window: 0 };
  const isSound = Number.isInteger(used) && used >= 0 && window > 0 && used <= window;
  scene.must(isSound, `the use of the context is ${JSON.stringify(usage)}`);
}

/** A connection whose conversation can be compacted. */
async function long(scene: ContractScene): Promise<Link> {
  const link = await scene.connect();
  for (const prompt of scene.scenario("compactable")().prompts) {
    await completed(scene, link, await link.send(prompt));
  }
  return link;
}
async function compact(scene: ContractScene, link: Link): Promise<void> {
  const work = link.connection.compact?.() ?? Promise.reject(new TypeError("there is no compact"));
  await scene.deadline.within("the compaction to be accepted", work, () => link.story);
}

/** A turn the agent begins by itself, from its announcement to its end. */
async function ownTurn(scene: ContractScene): Promise<{ link: Link; started: State }> {
  const link = await scene.connect();
  const act = scene.scenario("autonomous")();
  await completed(scene, link, await link.send(act.prompt));
  await act.begin();
  const isStart = (event: Link["events"][number]): event is State =>
    event.type === "autonomous-turn-state" && event.state === "started";
  const started = await link.find("the agent to begin a turn", isStart);
  const isEnd = (event: Link["events"][number]): event is Named<"turn-complete" | "error"> | State =>
    "turnId" in event &&
    event.turnId === started.turnId &&
    (event.type === "turn-complete" ||
      event.type === "error" ||
      (event.type === "autonomous-turn-state" && event.state === "finished"));
  await link.find("the end of the agent's own turn", isEnd);
  return { link, started };
}

const backgroundState = (link: Link, active: boolean): Promise<Background> =>
  link.find(
    `background work to be ${active ? "active" : "over"}`,
    (event): event is Background => event.type === "background-work-state" && event.active === active,
  );
async function leftWork(scene: ContractScene): Promise<Link> {
  const link = await scene.connect();
  const act = scene.scenario("background")();
  const { turnId } = await link.send(act.prompt);
  await link.end(turnId);
  const [active, end] = ["background-work-state", "turn-complete"].map((wanted) =>
    link.events.findIndex(({ type }) => type === wanted),
  );
  scene.must((active ?? -1) >= 0 && (active ?? -1) < (end ?? -1), "the work was not told before its turn ended");
  await backgroundState(link, true);
  await act.finish();
  await backgroundState(link, false);
  await link.close("idle");
  return link;
}

export const livingChecks = checksOf({
  "context/usage": async (scene) => {
    const link = await scene.connect();
    const first = await link.connection.getContextUsage?.();
    if (first !== null) mustBeUsage(scene, first);
    await sayWhole(scene, link, "some context");
    const usage = await link.connection.getContextUsage?.();
    mustBeUsage(scene, usage);
    scene.must((usage?.used ?? 0) > 0, "nothing is used after a turn");
    for (const event of link.all("context-usage")) mustBeUsage(scene, event.usage);
  },

  "compaction/asked": async (scene) => {
    const link = await long(scene);
    await compact(scene, link);
    await link.next("compaction-start");
    await link.next("compaction-complete");
    await sayWhole(scene, link, "and on");
  },

  "compaction/paired": async (scene) => {
    const link = await long(scene);
    await compact(scene, link);
    await link.next("compaction-complete");
    // Now there may be nothing left to compact: that is told by a rejection.
    await compact(scene, link).catch(() => undefined);
    await sayWhole(scene, link, "and on");
    const [starts, ends] = [link.all("compaction-start"), [...link.all("compaction-complete")]];
    scene.must(starts.length <= ends.length + link.all("compaction-error").length, "a compaction has no end");
    await link.close("idle");
  },

  "compaction/nothing": async (scene) => {
    const link = await scene.connect();
    await compact(scene, link).catch(() => undefined);
    await sayWhole(scene, link, "and on");
    const done = link.all("compaction-complete").filter((event) => event.done !== null);
    scene.must(done.length === 0, "an empty conversation was compacted");
    await link.close("idle");
  },

  "compaction/hook": async (scene) => {
    const link = await long(scene);
    scene.compactionAnswer = "cancel";
    await compact(scene, link).catch(() => undefined);
    await sayWhole(scene, link, "and on");
    scene.must(scene.compactionsAsked > 0, "the hook was not asked");
    const done = link.all("compaction-complete").filter((event) => event.done !== null);
    scene.must(done.length === 0, "it was compacted though the hook said no");
    await link.close("idle");
  },

  "autonomous/announced": async (scene) => {
    const { link, started } = await ownTurn(scene);
    const first = link.events.find((event) => "turnId" in event && event.turnId === started.turnId);
    scene.must(first === started, `before its announcement ${first?.type} was told of it`);
    scene.must(link.said(started.turnId) !== "", "it says nothing");
  },

  "autonomous/ends": async (scene) => {
    const { link, started } = await ownTurn(scene);
    await sayWhole(scene, link, "and on");
    const ends = link.events.filter(
      (event) => (event.type === "turn-complete" || event.type === "error") && event.turnId === started.turnId,
    );
    scene.must(ends.length <= 1, `it ended ${ends.length} times`);
  },

  "background/told": async (scene) => void (await leftWork(scene)),
  "background/drained": async (scene) => void (await leftWork(scene)),

  "flow/rooted": async (scene) => {
    const link = await scene.connect();
    await completed(scene, link, await link.send(scene.scenario("flow")().prompt));
    const said = link.all("background-flow-chunk").filter(({ chunk }) => chunk.type === "text-delta");
    scene.must(said.length > 0, "the sub-agent's words were not told");
  },

  "flow/ended": async (scene) => {
    const link = await scene.connect();
    await completed(scene, link, await link.send(scene.scenario("flow")().prompt));
    await sayWhole(scene, link, "and on");
    await link.close("idle");
    scene.must(link.all("background-flow-chunk").length > 0, "no sub-agent spoke");
  },

  "fork/branches": async (scene) => {
    const link = await scene.connect();
    const first = await sayWhole(scene, link, scene.marker);
    const end = await link.end(first.turnId);
    const [token, anchor] = [link.token ?? "", end.type === "turn-complete" ? (end.anchor ?? "") : ""];
    scene.must(token !== "" && anchor !== "", `token "${token}", anchor "${anchor}": both are needed`);
    await sayWhole(scene, link, `later${scene.marker}`);
    await link.close("idle");
    const session = { ...scene.facts, resumeToken: token };
    const forked = await scene.driver.fork?.({ session, token, anchor, home: scene.place.home });
    scene.must(forked !== undefined && forked.token !== token, "the fork has no token of its own");
    const copy = await scene.connect({ resumeToken: forked?.token ?? null });
    await sayWhole(scene, copy, "beside");
    scene.must((await scene.timesTold()) > 0, "the fork does not know what was said before its anchor");
    scene.must((await scene.timesTold(`later${scene.marker}`)) === 0, "the fork knows what came after its anchor");
    await copy.close("idle");
    await sayWhole(scene, await scene.connect({ resumeToken: token }), "on the old branch");
    scene.must((await scene.timesTold("beside")) === 0, "the old branch knows the fork's news");
  },

  "rewind/earlier": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, "kept");
    const [resumeToken, kept] = [link.token, scene.branch.entries.length];
    await sayWhole(scene, link, scene.marker);
    await link.close("rewind");
    scene.branch.rewind(kept);
    await sayWhole(scene, await scene.connect({ resumeToken }), "again");
    scene.must((await scene.timesTold()) === 0, "what was taken back is still known");
    scene.must((await scene.timesTold("kept")) > 0, "what was kept is not known");
  },

  "close/ends-events": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, "goodbye");
    await link.close("idle");
    scene.must(link.isOver, "the events go on");
  },

  "close/idempotent": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, "goodbye");
    await link.close("idle");
    const again = scene.deadline.within("the second close", link.connection.close("shutdown"));
    scene.must((await again).returned.length === 0, "the second close returned something");
  },

  "close/during-turn": async (scene) => {
    const link = await scene.connect();
    const { turnId } = await beginText(scene, link);
    await link.close("stop");
    const completions = link.all("turn-complete").filter((event) => event.outcome === "completed");
    scene.must(
      completions.every((event) => event.turnId !== turnId),
      "the turn was told as completed",
    );
  },

  "close/leaves-nothing": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("silence")().prompt);
    scene.must(sent.turnId !== "", "no turn");
    await link.close("stop");
    const left = scene.processes.list();
    scene.must(left.length === 0, `left running: ${left.map(({ purpose }) => purpose).join(", ")}`);
  },

  "close/refuses": async (scene) => {
    const link = await scene.connect();
    const { turnId } = await sayWhole(scene, link, "goodbye");
    await link.close("idle");
    await scene.rejection("a prompt after close", link.send(scenarioText(scene, "anyone?")));
    const verdict = await link.reconcile({ ...scene.target, effort: "high" }).catch(() => "failed");
    scene.must(verdict === "failed" || verdict === "invalid", `reconcile after close says ${verdict}`);
    const answer = await link.abort(turnId).catch(() => "already-settled");
    scene.must(answer === "already-settled", `a stop after close was answered with ${answer}`);
  },
});
