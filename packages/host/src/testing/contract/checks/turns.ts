/** Checks of turns: how they are accepted, what ends them, and that an input is the agent's once. */
import { checksOf } from "../check.ts";
import type { Link, Sent } from "../link.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, scenarioText, stop } from "./play.ts";

/** A turn of each kind that every agent can play: one that completes and one that is stopped. */
async function turnsOfEachEnd(scene: ContractScene): Promise<{ link: Link; ends: readonly Sent[] }> {
  const link = await scene.connect();
  const first = await sayWhole(scene, link, "one");
  const second = await beginText(scene, link);
  await stop(scene, link, second);
  const third = link.isOver ? [] : [await sayWhole(scene, link, "three")];
  await link.close("idle");
  return { link, ends: [first, second, ...third] };
}

type Second = ContractScene["capabilities"]["secondPrompt"];
const secondPrompts: Readonly<Record<Second, (scene: ContractScene, link: Link, first: Sent) => Promise<void>>> = {
  refuse: async (scene, link, first) => {
    await scene.rejection("a second prompt", link.send(scenarioText(scene, "second")));
    await completed(scene, link, first);
  },
  queue: async (scene, link, first) => {
    const second = await link.send(scenarioText(scene, "second"));
    await completed(scene, link, second);
    const ends = link.all("turn-complete").map(({ turnId }) => turnId);
    scene.must(ends.indexOf(first.turnId) < ends.indexOf(second.turnId), "the second turn ended before the first");
  },
  abort: async (scene, link, first) => {
    const second = await link.send(scenarioText(scene, "second"));
    await completed(scene, link, second);
    const end = await link.end(first.turnId);
    const isCut = end.type === "error" || end.outcome === "stopped";
    scene.must(isCut, "the first turn was told as completed though the second prompt cut it");
  },
  fold: async (scene, link, first) => {
    const second = await link.send(scenarioText(scene, "second"));
    await Promise.all([link.end(first.turnId), link.end(second.turnId)]);
    const answered = link.all("turn-complete").flatMap((event) => event.answered);
    for (const { inputId } of [first, second]) {
      scene.must(answered.includes(inputId), "no turn names the input it was answered in");
    }
  },
};

export const turnChecks = checksOf({
  "turn/accepted": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("silence")().prompt);
    scene.must(link.all("turn-complete").length === 0, "the turn was over when the prompt was accepted");
    await stop(scene, link, sent);
  },

  "turn/one-terminal": async (scene) => {
    const { link, ends } = await turnsOfEachEnd(scene);
    for (const { turnId } of ends) {
      const terminal = link.events.filter(
        (event) => (event.type === "turn-complete" || event.type === "error") && event.turnId === turnId,
      );
      scene.must(terminal.length === 1, `a turn has ${terminal.length} terminal events`);
    }
  },

  "turn/silent-after-end": async (scene) => {
    const { link } = await turnsOfEachEnd(scene);
    scene.must(link.events.length > 0, "nothing was told at all");
  },

  "turn/ids": async (scene) => {
    const { link, ends } = await turnsOfEachEnd(scene);
    const given = new Set(ends.map(({ turnId }) => turnId));
    const strange = link.all("chunk").filter(({ turnId }) => !given.has(turnId));
    scene.must(strange.length === 0, `${strange.length} chunks are of no turn that was sent`);
  },

  "turn/answered": async (scene) => {
    const link = await scene.connect();
    const { turnId, inputId } = await sayWhole(scene, link, "answered");
    const end = await link.end(turnId);
    const answered = end.type === "turn-complete" ? end.answered : [];
    scene.must(answered.length === 1 && answered[0] === inputId, `answered is ${JSON.stringify(answered)}`);
  },

  "turn/input-once": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, scene.marker);
    const times = await scene.timesTold();
    scene.must(times === 1, `the model was given the prompt ${times} times`);
  },

  "turn/next": async (scene) => {
    const link = await scene.connect();
    for (const text of ["one", "two", "three"]) await sayWhole(scene, link, text);
  },

  "turn/failure": async (scene) => {
    const link = await scene.connect();
    const end = await link.turn(scene.scenario("failure")());
    scene.must(end.type === "error", `it ended with ${JSON.stringify(end)}`);
    if (end.type !== "error") return;
    scene.must(/^[a-z][a-z0-9-]*$/.test(end.code), `"${end.code}" is no code`);
    scene.must(end.message.trim().length > 0, "it has no message");
    scene.must(["never", "later", "now"].includes(end.retry), `retry is ${end.retry}`);
  },

  "turn/after-failure": async (scene) => {
    const link = await scene.connect();
    await link.turn(scene.scenario("failure")());
    const next = sayWhole(scene, link, "well again");
    await next.catch((cause: unknown) => {
      if (!link.isOver) throw cause;
    });
  },

  "turn/retry-told": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("retry")().prompt);
    await completed(scene, link, sent);
    const told = link.events.findIndex(({ type }) => type === "api-retry");
    const said = link.events.findIndex((event) => event.type === "chunk" && event.chunk.type === "text-delta");
    scene.must(told >= 0, "no api-retry was told");
    scene.must(told < said, "it was told after the answer");
    for (const { attempt, maxAttempts } of link.all("api-retry")) {
      scene.must(attempt >= 1 && attempt <= maxAttempts, `attempt ${attempt} of ${maxAttempts}`);
    }
  },

  "turn/second-prompt": async (scene) => {
    const link = await scene.connect();
    const first = await beginText(scene, link);
    await secondPrompts[scene.capabilities.secondPrompt](scene, link, first);
  },

  "turn/idempotent": async (scene) => {
    const link = await scene.connect();
    const { agentKey, inputId } = await sayWhole(scene, link, scene.marker);
    await sayWhole(scene, link, "between");
    const before = await scene.timesTold();
    const next = await scene.reconnect(link);
    const again = await next.send(scenarioText(scene, scene.marker), { agentKey, inputId });
    await next.end(again.turnId);
    scene.must(next.said(again.turnId) === "", "it was answered again");
    await sayWhole(scene, next, "afterwards");
    scene.must((await scene.timesTold()) === before, "the conversation has the input again");
  },

  "events/vocabulary": async (scene) => {
    const { link } = await turnsOfEachEnd(scene);
    scene.must(link.events.length > 0, "nothing was told at all");
  },

  "events/not-lost": async (scene) => {
    const link = await scene.connectUnread();
    const sent = await link.send(scenarioText(scene, "kept for later"));
    if (scene.capabilities.multiSession) {
      // As long as another session's whole turn takes, nobody reads this one.
      const other = await scene.beside();
      await sayWhole(other, await other.connect(), "meanwhile");
    }
    void link.read(); // never rejects
    await completed(scene, link, sent);
    scene.must(link.said(sent.turnId).trim() === "kept for later", `it says "${link.said(sent.turnId)}"`);
  },
});
