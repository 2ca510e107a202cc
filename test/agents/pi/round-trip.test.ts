/**
 * Fifty session files written by the real package are imported here, exported, and opened there again: what they mean
 * there must not have changed. The differences are printed; each has a reason, or the test fails.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  SessionManager,
} from "@mooring/host/runtime";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { RuntimeWorld } from "../../runtime/runtime-world.ts";
import { realTest } from "../claude-code/real-test.ts";
import { type Difference, differences } from "./differences.ts";
import { PiClient } from "./pi-client.ts";
import { named, type PiView } from "./pi-view.ts";
import { type Story, stories } from "./stories.ts";

/** A file there, and what became of it here. */
type Trip = { readonly story: Story; readonly text: string; readonly was: PiView } & Readonly<
  Record<"all" | "shown" | "onwards", { readonly path: string; readonly text: string; readonly is: PiView }>
>;
const kinds = ["all", "shown", "onwards"] as const;
let place = "";
let world: RuntimeWorld;
let pi: PiClient;
let trips: readonly Trip[] = [];

beforeAll(async () => {
  if (inject("agentsMissing") !== null) return;
  place = await mkdtemp(join(tmpdir(), "mooring-pi-"));
  pi = new PiClient(place);
  world = await RuntimeWorld.open();
  const paths = await pi.write();
  const runtime = await openRuntime();
  const files = await inOrder(paths, (path, index) => exported(runtime, path, index));
  const was = await pi.view(paths);
  const is = await pi.view(files.flatMap(({ made }) => made.map(({ path }) => path)));
  trips = files.map(({ text, made }, index) => {
    const [all, shown, onwards] = made.map((file, at) => ({ ...file, is: must(is[index * kinds.length + at]) }));
    const after = { all: must(all), shown: must(shown), onwards: must(onwards) };
    return { story: must(stories[index]), text, was: must(was[index]), ...after };
  });
}, 100_000);
afterAll(async () => {
  if (place === "") return;
  await Promise.all([pi.end(), world.end()]);
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
});

function must<T>(value: T | undefined): T {
  expect(value).toBeDefined();
  return value as T;
}
async function inOrder<A, B>(values: readonly A[], make: (value: A, index: number) => Promise<B>): Promise<B[]> {
  const made: B[] = [];
  for (const [index, value] of values.entries()) made.push(await make(value, index));
  return made;
}
const openRuntime = (): Promise<AgentSessionRuntime> =>
  createAgentSessionRuntime(
    async ({ cwd, sessionManager, sessionStartEvent }) => {
      const services = await world.services({}, cwd);
      const made = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    { cwd: world.cwd, agentDir: world.agentDir, host: world.host, sessionManager: SessionManager.create(world.cwd) },
  );

async function exported(runtime: AgentSessionRuntime, path: string, index: number) {
  const text = await readFile(path, "utf8");
  await runtime.importFromJsonl(path);
  const texts = [await runtime.session.exportToJsonl({ branches: "all" }), await runtime.session.exportToJsonl()];
  await runtime.session.prompt("#say onwards");
  texts.push(await runtime.session.exportToJsonl({ branches: "all" }));
  const made = await inOrder(texts, async (content, at) => {
    const target = join(place, `${index}-${kinds[at]}.jsonl`);
    await writeFile(target, content);
    return { path: target, text: content };
  });
  return { text, made };
}

// --- what may differ ------------------------------------------------------------------------------------------------

const linesOf = (text: string): string[] => text.trimEnd().split("\n");
const isOld = ({ story }: Trip): boolean => story.as === "version-1" || story.as === "version-2";
function print(what: string, found: readonly (readonly [Trip, readonly Difference[]])[]): void {
  const differing = found.filter(([, list]) => list.length > 0);
  console.log(`${what}: ${found.length} files, ${differing.length} differ`);
  for (const [{ story }, list] of differing)
    for (const { at, was, is } of list.slice(0, 3))
      console.log(
        `  ${story.name} ${at}: ${JSON.stringify(was)?.slice(0, 160)} -> ${JSON.stringify(is)?.slice(0, 160)}`,
      );
}

realTest("the files have every kind of entry, every role and every way an answer ends", () => {
  const entries = trips.flatMap(({ was }) => was.entries);
  const types = new Set(entries.map(({ type }) => type));
  expect([...types].toSorted()).toEqual([
    ...["branch_summary", "compaction", "context_edit", "custom", "custom_message", "hologram", "label", "message"],
    ...["model_change", "session_info", "thinking_level_change", "usage", "verdict"],
  ]);
  const messages = entries.map(({ message }) => Object(message));
  const of = (key: string) => [...new Set(messages.flatMap((message) => message[key] ?? []))].toSorted();
  expect(of("role")).toEqual(["assistant", "bashExecution", "custom", "system", "toolResult", "user"]);
  expect(of("stopReason")).toEqual(["aborted", "error", "length", "stop", "toolUse"]);
  expect(trips.filter(({ was }) => was.branch.length < was.entries.length).length).toBeGreaterThan(8);
  expect(trips.length).toBe(50);
});

realTest("exported with every branch they mean what they meant: no difference", () => {
  const found = trips.map((trip) => [trip, differences(named(trip.was), named(trip.all.is))] as const);
  print("every branch", found);
  expect(found.flatMap(([, list]) => list)).toEqual([]);
});

realTest("of version 3 every line is the one that was read, what nobody knows too", () => {
  const whole = trips.filter((trip) => !isOld(trip));
  for (const { story, text, all } of whole) {
    const lines = linesOf(text);
    // The line a crash cut is no line.
    expect(linesOf(all.text), story.name).toEqual(story.as === "cut" ? lines.slice(0, -1) : lines);
  }
  expect(whole.length).toBe(46);
  expect(whole.filter(({ all }) => all.text.includes('"odd" : 1.50, "type":"hologram","at":[ ] }')).length).toBe(2);
});

/** What the file would say if the branch were all there is. */
function branchOf({ entries, branch, ...was }: PiView): PiView {
  const kept = entries.filter(({ id }) => branch.includes(id));
  const labels = new Map<string, string>();
  for (const { type, targetId, label } of kept)
    if (type === "label" && typeof label === "string") labels.set(String(targetId), label);
    else if (type === "label") labels.delete(String(targetId));
  return { ...was, branch, entries: kept, labels: kept.flatMap(({ id }) => pair(id, labels.get(id))) };
}
const pair = (id: string, label: string | undefined) => (label === undefined ? [] : ([[id, label]] as const));

realTest("exported as it is shown, the branch means what it meant; what was left is left out", () => {
  const found = trips.map((trip) => {
    return [trip, differences(named(branchOf(trip.was)), named(trip.shown.is))] as const;
  });
  print("the branch shown", found);
  const unexplained = found.flatMap(([trip, list]) => list.filter(({ at }) => !isNameAgain(trip, at)));
  expect(unexplained).toEqual([]);
});
/** A name that was given on a branch that is left out is given once more, at the end. */
function isNameAgain({ was, shown }: Trip, at: string): boolean {
  const end = was.branch.length;
  const isGivenThere = was.entries.some(({ id, type }) => type === "session_info" && !was.branch.includes(id));
  const { type, name } = must(shown.is.entries.at(-1));
  if (!isGivenThere || type !== "session_info" || name !== was.name) return false;
  return ["/leaf", `/entries/${end}`, `/branch/${end}`].includes(at);
}

realTest("what is said here afterwards is there the next thing said", () => {
  for (const { story, was, onwards } of trips) {
    const { messages } = onwards.is.context as { readonly messages: readonly Record<string, unknown>[] };
    expect(messages.slice(-2), story.name).toMatchObject([
      { role: "user", content: "#say onwards" },
      { role: "assistant", content: [{ type: "text", text: "onwards" }] },
    ]);
    expect(onwards.is.branch.length, story.name).toBe(was.branch.length + 2);
  }
});

realTest("the real package goes on in a file that was here", async () => {
  const trip = must(trips.find(({ story }) => story.name.includes("walk 1")));
  const text = await pi.goOn(trip.onwards.path);
  expect(text.startsWith(trip.onwards.text)).toBe(true);
  expect(text).toContain("I went on there.");
});

realTest("a session that was only ever here opens there: messages, labels, summaries, its name, its tree", async () => {
  const runtime = await openRuntime();
  const { session } = runtime;
  await session.prompt("#bash echo out\n#say done");
  await session.compact();
  const [first] = await session.tree.entries();
  await session.prompt("#think hm\n#say left behind");
  const [{ entryId = "" } = {}] = await session.getUserMessagesForForking();
  await session.setLabel(must(first).id, "start");
  await session.setSessionName("Made here");
  const left = (await session.getUserMessagesForForking()).at(-1)?.entryId ?? entryId;
  await session.navigateTree(left, { summarize: true });
  await session.appendCustomEntry("ours", { n: 1 });
  await session.prompt("#say at last");
  const path = join(place, "made-here.jsonl");
  const text = await session.exportToJsonl({ branches: "all" });
  await writeFile(path, text);
  const view = must((await pi.view([path]))[0]);
  expect(view.entries.map((entry) => JSON.stringify(entry))).toEqual(linesOf(text).slice(1)); // nothing was mended
  expect([view.name, view.labels.map(([, label]) => label)]).toEqual(["Made here", ["start"]]);
  const branch = view.entries.filter(({ id }) => view.branch.includes(id));
  const types = branch.map(({ type, message }) => Object(message).role ?? type);
  const beginning = ["user", "assistant", "toolResult", "assistant", "compaction"];
  expect(types).toEqual([...beginning, "branch_summary", "custom", "user", "assistant", "session_info"]);
  expect(view.entries.length).toBe(branch.length + 3); // the prompt that was left, its answer, the label
  const told = (view.context["messages"] as readonly Record<string, unknown>[]).map(({ role }) => role);
  expect(told).toEqual(["compactionSummary", "branchSummary", "user", "assistant"]);
});
