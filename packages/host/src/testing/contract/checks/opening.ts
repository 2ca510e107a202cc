/** Checks of what is claimed and asked before a turn, and of how a connection opens. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectionCapabilities, MooringError } from "../../../ports/index.ts";
import { checksOf } from "../check.ts";
import { untestedClaims } from "../claims.ts";
import type { ContractScene } from "../scene.ts";
import { completed, sayWhole, scenarioText } from "./play.ts";
import { trace } from "./trace.ts";

const categories: ReadonlySet<string> = new Set(["read", "write", "shell", "network", "other"]);

/** A conversation that has heard the marker, closed, and the token it goes on with. */
async function earlier(scene: ContractScene): Promise<string> {
  const link = await scene.connect();
  await sayWhole(scene, link, scene.marker);
  scene.must(link.token !== null, "no resume token was told by the end of the first turn");
  await link.close("idle");
  return link.token ?? "";
}

export const openingChecks = checksOf({
  "capabilities/tested": async (scene) => {
    const untested = untestedClaims(scene.adapter, scene.capabilities);
    scene.must(untested.length === 0, `claimed, and not tested: ${untested.join("; ")}`);
  },

  "capabilities/offered": async (scene) => {
    const { driver, capabilities } = scene;
    const { connection } = await scene.connect();
    const methods = [
      ["fork", driver.fork !== undefined, capabilities.fork, true],
      ["redirect", connection.redirect !== undefined, capabilities.steer !== "none", false],
      ["compact", connection.compact !== undefined, capabilities.compaction, true],
      ["getContextUsage", connection.getContextUsage !== undefined, capabilities.contextUsage, false],
    ] as const;
    for (const [name, isThere, isClaimed, isOnlyThen] of methods) {
      scene.must(isThere || !isClaimed, `${name} is claimed and missing`);
      scene.must(!isThere || isClaimed || !isOnlyThen, `${name} is there and not claimed`);
    }
    scene.must(/^[a-z][a-z0-9:-]*$/.test(driver.type), `"${driver.type}" is no type of a driver`);
  },

  "capabilities/confirmed": async (scene) => {
    const { connection } = await scene.connect();
    const confirmed: ConnectionCapabilities = connection.capabilities;
    for (const name of Object.keys(confirmed) as (keyof ConnectionCapabilities)[]) {
      const [claimed, said] = [scene.capabilities[name], confirmed[name]];
      scene.must(claimed === said, `${name} is claimed as ${claimed}, and the connection says ${said}`);
    }
  },

  "session/validate-pure": async (scene) => {
    const before = await trace(scene);
    await scene.driver.validateSession(scene.facts);
    await scene.driver.validateSession(scene.facts);
    scene.must((await trace(scene)) === before, `before ${before}, after ${await trace(scene)}`);
  },

  "session/validate-refuses": async (scene) => {
    const facts = { ...scene.facts, ...scene.scenario("unservable")() };
    const cause = await scene.rejection("a session that cannot be served", scene.driver.validateSession(facts));
    scene.must(MooringError.isInstance(cause), `it was refused with ${String(cause)}, which is no MooringError`);
    if (MooringError.isInstance(cause)) scene.must(cause.message.length > 10, `"${cause.message}" says too little`);
  },

  "session/tools": async (scene) => {
    const tools = await scene.driver.listAvailableTools(scene.facts);
    const names = tools.map(({ name }) => name);
    scene.must(new Set(names).size === names.length, `a name is listed twice: ${names.join(", ")}`);
    for (const { name, category } of tools) scene.must(categories.has(category), `${name} is of category ${category}`);
    const link = await scene.connect();
    const act = scene.scenario("tool")();
    await completed(scene, link, await link.send(act.prompt));
    const called = scene.calls.map(({ toolName }) => toolName);
    scene.must(called.includes(act.toolName), `the policy was asked about ${called.join(", ") || "nothing"}`);
    for (const { toolName, category } of scene.calls) {
      const listed = tools.find(({ name }) => name === toolName);
      scene.must(listed?.category === category, `${toolName} is ${category}, and listed as ${listed?.category}`);
    }
  },

  "connect/opens": async (scene) => {
    await sayWhole(scene, await scene.connect(), "here I am");
  },

  "connect/prompt": async (scene) => {
    const link = await scene.connect({ prompt: { base: null, append: `Say ${scene.marker} when asked.` } });
    await sayWhole(scene, link, "ready");
    scene.must((await scene.timesTold()) > 0, "the model was not given what the host added");
  },

  "connect/workspace-text": async (scene) => {
    await writeFile(join(scene.place.workspace, "AGENTS.md"), `Mind ${scene.marker}.`);
    await sayWhole(scene, await scene.connect(), "ready");
    scene.must((await scene.timesTold()) > 0, "the model was not given AGENTS.md");
  },

  "connect/modes": async (scene) => {
    scene.must(scene.capabilities.modes.length > 0, "no permission mode is listed");
    for (const permissionMode of scene.capabilities.modes) {
      const link = await scene.connect({ permissionMode });
      await sayWhole(scene, link, `in mode ${permissionMode}`);
      await link.close("idle");
    }
  },

  "connect/history": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, scene.marker);
    await sayWhole(scene, link, "second");
    scene.must((await scene.timesTold()) > 0, "the second turn did not know the first");
    await link.close("idle");
    await sayWhole(scene, await scene.connect(), "third");
    scene.must((await scene.timesTold()) > 0, "a new connection did not know the branch");
  },

  "connect/token": async (scene) => {
    const token = await earlier(scene);
    scene.must(token.trim() !== "", "the token is empty");
    scene.must(!/^([/~\\]|[A-Za-z]:\\|\.\.?\/)/.test(token), "the token is a path");
  },

  "connect/resumes": async (scene) => {
    const resumeToken = await earlier(scene);
    await sayWhole(scene, await scene.connect({ resumeToken }), "and on");
    scene.must((await scene.timesTold()) > 0, "the model did not know what was said before");
  },

  "connect/no-replay": async (scene) => {
    const resumeToken = await earlier(scene);
    const link = await scene.connect({ resumeToken });
    const { turnId } = await sayWhole(scene, link, "and on");
    const others = link.events.filter((event) => "turnId" in event && event.turnId !== turnId);
    scene.must(others.length === 0, `told beside the new turn: ${others.map(({ type }) => type).join(", ")}`);
    scene.must(!JSON.stringify(link.events).includes(scene.marker), "what was said before was told again");
  },

  "connect/resume-refused": async (scene) => {
    const resumeToken = scene.scenario("lostToken")();
    const cause = await scene.rejection("a lost token", scene.driver.connect(scene.connectInput({ resumeToken })));
    const isRight = MooringError.isInstance(cause) && cause.code === "resume-failed";
    scene.must(isRight, `it was refused with ${String(cause)} instead of ResumeFailed`);
  },

  "connect/two-sessions": async (scene) => {
    const other = await scene.beside();
    const link = await scene.connect();
    const second = await other.connect();
    const [mine, theirs] = await Promise.all([
      link.send(scenarioText(scene, scene.marker)),
      second.send(scenarioText(other, other.marker)),
    ]);
    await Promise.all([link.end(mine.turnId), second.end(theirs.turnId)]);
    scene.must(link.said(mine.turnId).trim() === scene.marker, `the first said "${link.said(mine.turnId)}"`);
    scene.must(second.said(theirs.turnId).trim() === other.marker, `the second said "${second.said(theirs.turnId)}"`);
    scene.must(!JSON.stringify(link.events).includes(other.marker), "the first heard the second");
    scene.must(link.token === null || link.token !== second.token, "both have one token");
  },
});
