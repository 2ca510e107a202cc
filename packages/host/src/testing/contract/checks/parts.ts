/** Checks of what a turn's message is made of, what of a prompt reaches the model, and what is reported as used. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "../../../protocol/input.ts";
import { checksOf } from "../check.ts";
import type { Link, Sent } from "../link.ts";
import type { ContractScene } from "../scene.ts";
import { beginText, completed, sayWhole, scenarioText, stop } from "./play.ts";

/** One line with everything but a line end: quotes, separators of other standards, characters of four bytes. */
export const hardText = 'Grüße, "quoted" \\ and 🙂 then \u2028 and \u2029 and \u0085 done';
/** A picture of one point. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/** Turns with every kind of part the agent can make, then one that is cut. */
async function everyPart(scene: ContractScene): Promise<Link> {
  const link = await scene.connect();
  await sayWhole(scene, link, "text");
  for (const name of ["reasoning", "tool", "twoTools", "failingTool"] as const) {
    if (scene.stage.scenarios[name] !== undefined) {
      await completed(scene, link, await link.send(scene.scenario(name)().prompt));
    }
  }
  await stop(scene, link, await beginText(scene, link));
  await link.close("idle");
  return link;
}

const outcomes = ["tool-output-available", "tool-output-error", "tool-output-denied", "tool-input-error"] as const;
/** How the calls of a turn ended, by call. */
export function outcomesOf(link: Link, { turnId }: Sent): ReadonlyMap<string, readonly string[]> {
  const ends = outcomes
    .flatMap((type) => link.chunks(turnId, type))
    .filter((chunk) => !("preliminary" in chunk && chunk.preliminary));
  const byCall = Map.groupBy(ends, ({ toolCallId }) => toolCallId);
  return new Map([...byCall].map(([id, chunks]) => [id, chunks.map(({ type }) => type)]));
}

async function sumOf(scene: ContractScene, link: Link): Promise<readonly [number, number]> {
  const act = scene.scenario("usage")();
  const before = link.all("usage").length;
  await completed(scene, link, await link.send(act.prompt));
  const reports = link.all("usage").slice(before);
  scene.must(reports.length > 0, "no usage was told");
  const tokens = reports.map(({ usage }) => usage.tokens);
  const input = tokens.reduce((sum, used) => sum + used.input + used.cacheRead + used.cacheWrite, 0);
  return [input, tokens.reduce((sum, used) => sum + used.output, 0)];
}
async function compareUsage(scene: ContractScene, link: Link): Promise<void> {
  const wanted = scene.scenario("usage")().tokens;
  const [input, output] = await sumOf(scene, link);
  const isRight = input === wanted.input && output === wanted.output;
  scene.must(isRight, `it tells ${input} in and ${output} out; the model said ${JSON.stringify(wanted)}`);
}

async function tellFile(scene: ContractScene, part: Part, sign: string): Promise<void> {
  const link = await scene.connect();
  await completed(scene, link, await link.send([{ type: "text", text: scenarioText(scene, "seen") }, part]));
  scene.must((await scene.timesTold(sign)) > 0, "the model was not given it");
}

export const partChecks = checksOf({
  "parts/text": async (scene) => {
    const link = await scene.connect();
    const { turnId } = await sayWhole(scene, link, hardText);
    const [starts, ends] = [link.chunks(turnId, "text-start"), link.chunks(turnId, "text-end")];
    scene.must(starts.length > 0 && starts.length === ends.length, `${starts.length} starts and ${ends.length} ends`);
  },

  "parts/streamed": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    scene.must(link.all("turn-complete").length === 0, "the first words came with the end of the turn");
    await completed(scene, link, sent);
    const pieces = link.chunks(sent.turnId, "text-delta").length;
    scene.must(pieces >= 3, `the text came in ${pieces} pieces`);
  },

  "parts/one-text": async (scene) => {
    const link = await scene.connect();
    const sent = await beginText(scene, link);
    await completed(scene, link, sent);
    const parts = link.chunks(sent.turnId, "text-start").length;
    scene.must(parts === 1, `one text is told as ${parts} parts`);
  },

  "parts/reasoning": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("reasoning")().prompt);
    await completed(scene, link, sent);
    const thought = link.chunks(sent.turnId, "reasoning-delta").map(({ delta }) => delta);
    scene.must(thought.join("").trim() !== "", "no reasoning was told");
    scene.must(link.chunks(sent.turnId, "reasoning-end").length > 0, "the reasoning has no end");
    scene.must(!link.said(sent.turnId).includes(thought.join("")), "the reasoning is told as text too");
  },

  "parts/tool": async (scene) => {
    const link = await scene.connect();
    const act = scene.scenario("tool")();
    const sent = await link.send(act.prompt);
    await completed(scene, link, sent);
    const [call] = link.chunks(sent.turnId, "tool-input-available");
    scene.must(call?.toolName === act.toolName, `the call is told as ${call?.toolName}`);
    const ends = outcomesOf(link, sent).get(call?.toolCallId ?? "") ?? [];
    scene.must(ends.length === 1, `the call has ${ends.length} outcomes`);
    scene.must((await act.ran()) === 1, `the tool ran ${await act.ran()} times`);
    const [shown, done] = ["tool-input-available", "tool-output-available"].map((type) =>
      link.events.findIndex((event) => event.type === "chunk" && event.chunk.type === type),
    );
    scene.must((shown ?? 0) < (done ?? -1), "its input was told after its output");
  },

  "parts/two-tools": async (scene) => {
    const link = await scene.connect();
    const act = scene.scenario("twoTools")();
    const sent = await link.send(act.prompt);
    await completed(scene, link, sent);
    const ends = outcomesOf(link, sent);
    scene.must(ends.size === 2, `${ends.size} calls have an outcome`);
    for (const [id, each] of ends) scene.must(each.length === 1, `call ${id} has ${each.length} outcomes`);
    scene.must((await act.ran()) === 2, `the tools ran ${await act.ran()} times`);
  },

  "parts/tool-failure": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("failingTool")().prompt);
    await completed(scene, link, sent);
    scene.must(link.chunks(sent.turnId, "tool-output-available").length === 0, "the failure is told as an output");
    const failed = link.chunks(sent.turnId, "tool-output-error");
    scene.must(failed.length === 1, `${failed.length} failures are told`);
  },

  "parts/well-formed": async (scene) => void (await everyPart(scene)),
  "parts/closed": async (scene) => void (await everyPart(scene)),
  "parts/frame": async (scene) => void (await everyPart(scene)),

  "input/image": async (scene) => {
    await tellFile(scene, { type: "file", mediaType: "image/png", url: `data:image/png;base64,${png}` }, "iVBORw0KGgo");
  },
  "input/file-bytes": async (scene) => {
    const mediaType = (scene.capabilities.fileTypes?.[0] ?? "").replace("*", "plain");
    const bytes = Buffer.from(`The bytes of ${scene.marker}.`).toString("base64");
    await tellFile(scene, { type: "file", mediaType, url: `data:${mediaType};base64,${bytes}` }, bytes.slice(0, 40));
  },
  "input/file-path": async (scene) => {
    const path = join(scene.place.home, "given.txt");
    await writeFile(path, scene.marker);
    const link = await scene.connect();
    await completed(scene, link, await link.send(scene.scenario("readFile")(path).prompt));
    scene.must((await scene.timesTold()) > 0, "the model was not given the file's content");
  },

  "usage/figures": async (scene) => compareUsage(scene, await scene.connect()),
  "usage/own": async (scene) => {
    const link = await scene.connect();
    await sumOf(scene, link);
    await compareUsage(scene, link);
  },
  "usage/named": async (scene) => {
    const link = await scene.connect();
    await sumOf(scene, link);
    await sumOf(scene, link);
    const next = await scene.reconnect(link);
    await sumOf(scene, next);
    const ids = [...link.all("usage"), ...next.all("usage")].map(({ usage }) => usage.requestId);
    scene.must(new Set(ids).size === ids.length, `request ids repeat: ${ids.join(", ")}`);
  },
});
