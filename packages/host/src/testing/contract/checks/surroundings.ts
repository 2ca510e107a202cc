/** Checks of what a driver makes of the machine: environment, home, the host's process, and `doctor`. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readProcessTable } from "../../../host/processes/process-table.ts";
import { checksOf } from "../check.ts";
import type { Link } from "../link.ts";
import { type ContractScene, givenVariable } from "../scene.ts";
import { completed, sayWhole, scenarioText } from "./play.ts";
import { filesIn, trace } from "./trace.ts";

const canary = "MOORING_HOST_ONLY";

/** Does `work` while the host's environment has these values, and puts back what was there. */
async function withHostVariable<T>(name: string, value: string, work: () => Promise<T>): Promise<T> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

/** What the agent's tools see of their environment, as one text. */
async function printed(scene: ContractScene): Promise<string> {
  const link = await scene.connect();
  const sent = await link.send(scene.scenario("environment")().prompt);
  await completed(scene, link, sent);
  const outputs = link.chunks(sent.turnId, "tool-output-available");
  scene.must(outputs.length > 0, "the environment was not printed");
  return JSON.stringify(outputs);
}

/** Something of everything an agent does without being asked: a text, and a tool where it has one. */
async function live(scene: ContractScene, link: Link): Promise<void> {
  await sayWhole(scene, link, "a day in the life");
  if (scene.stage.scenarios.tool === undefined) return;
  await completed(scene, link, await link.send(scene.scenario("tool")().prompt));
}

/** Listeners, variables and directory of the host's process, as one text to compare. */
const hostProcess = (): string => {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return JSON.stringify([listeners.sort(), Object.keys(process.env).sort(), process.cwd()]);
};

async function killed(scene: ContractScene, link: Link): Promise<void> {
  scene.must(scene.processes.started.all.length > 0, "connect started no child through ports.processes");
  await scene.processes.kill();
  await scene.deadline.within("the events to end", link.read(), () => link.story);
}

export const surroundingChecks = checksOf({
  "child/killed": async (scene) => {
    const link = await scene.connect();
    const sent = await link.send(scene.scenario("silence")().prompt);
    await killed(scene, link);
    const told = link.all("turn-complete").filter(({ turnId }) => turnId === sent.turnId);
    scene.must(told.length === 0, `the turn is told as ${told.map(({ outcome }) => outcome).join(", ")}`);
    await link.close("failure");
  },

  "child/killed-at-rest": async (scene) => {
    const link = await scene.connect();
    await sayWhole(scene, link, "at rest");
    await killed(scene, link);
    await scene.rejection("a prompt to an agent that is gone", link.send(scenarioText(scene, "anyone?")));
    await link.close("failure");
  },

  "environment/given": async (scene) => {
    scene.must((await printed(scene)).includes(`${givenVariable}=${scene.marker}`), `${givenVariable} is not there`);
  },

  "environment/host-hidden": async (scene) => {
    const secret = `secret-${scene.marker}`;
    const seen = await withHostVariable(canary, secret, () => printed(scene));
    scene.must(!seen.includes(secret), `the agent sees ${canary} of the host`);
  },

  "environment/children": async (scene) => {
    const secret = `secret-${scene.marker}`;
    const before = await readProcessTable();
    await withHostVariable(canary, secret, async () => live(scene, await scene.connect()));
    const ours = new Set(scene.processes.started.all.map(({ child }) => child.pid));
    const strangers = [...(await readProcessTable()).values()].filter(
      ({ pid, ppid }) => ppid === process.pid && !before.has(pid) && !ours.has(pid),
    );
    scene.must(strangers.length === 0, `${strangers.length} child was started past ports.processes`);
    for (const { options } of scene.processes.started.all) {
      scene.must(options.session === scene.sessionId, `a child for "${options.purpose}" is for no session`);
      scene.must(!JSON.stringify(options).includes(secret), `a child for "${options.purpose}" is given ${canary}`);
    }
  },

  "environment/home": async (scene) => {
    const home = join(scene.place.scratch, "user-home");
    await mkdir(home);
    await withHostVariable("HOME", home, async () => {
      const link = await scene.connect();
      await live(scene, link);
      await link.close("idle");
    });
    const left = await filesIn(home);
    scene.must(left.length === 0, `written to the home of the host's user: ${left.join(", ")}`);
  },

  "environment/process": async (scene) => {
    const before = hostProcess();
    const link = await scene.connect();
    await live(scene, link);
    scene.must(hostProcess() === before, `before ${before}, after ${hostProcess()}`);
    await link.close("idle");
  },

  "doctor/ready": async (scene) => {
    const { found, credentials, problem, fix } = await scene.driver.doctor(patient(scene));
    scene.must(found, "the agent was not found");
    scene.must(problem === null && fix === null, `it sees a problem: ${problem} (${fix})`);
    scene.must(credentials !== "missing", "it misses credentials");
  },

  "doctor/problem": async (scene) => {
    const { problem, fix } = await scene.driver.doctor({ ...patient(scene), ...scene.scenario("unready")() });
    scene.must(problem !== null && problem.length > 0, "it sees no problem");
    scene.must(fix !== null && fix.length > 0, `it sees a problem and no fix: ${problem}`);
  },

  "doctor/pure": async (scene) => {
    const [before, workspace] = [await trace(scene), await filesIn(scene.place.workspace)];
    await scene.driver.doctor(patient(scene));
    scene.must(scene.processes.list().length === 0, "a process is left");
    const after = await filesIn(scene.place.workspace);
    scene.must(after.join() === workspace.join(), `the workspace has ${after.join(", ")}; before: ${before}`);
  },
});

const patient = ({ stage, env, place }: ContractScene) => ({ credentials: stage.credentials, env, home: place.home });
