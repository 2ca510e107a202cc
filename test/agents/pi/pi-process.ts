/**
 * The real package in a process of its own: `{"do":"write","place":dir}` writes every story's file and answers with their
 * paths, `{"do":"view","paths":[...]}` opens files there and answers with what they mean, `{"do":"go-on","path":file}` says
 * one more thing in one. One JSON object a line, in order.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { aged } from "./aged.ts";
import { loadPi, type PiManager, type PiSession } from "./pi-package.ts";
import { viewOf } from "./pi-view.ts";
import { type Story, steps, stories } from "./stories.ts";
import { toolsOf, Writer } from "./writer.ts";

const pi = await loadPi();
type Place = { readonly place: string; readonly manager: PiManager };

async function open({ place, manager }: Place): Promise<Writer> {
  const faux = pi.fauxProvider({ models: [{ id: "small" }, { id: "big", reasoning: true }] });
  const modelRuntime = await pi.ModelRuntime.create({
    authPath: join(place, "agent/auth.json"),
    modelsPath: null,
    modelsStorePath: join(place, "agent/models-store.json"),
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(faux.provider);
  const settingsManager = pi.SettingsManager.inMemory({
    retry: { enabled: true, maxRetries: 1, baseDelayMs: 1 },
    compaction: { enabled: true, reserveTokens: 100, keepRecentTokens: 5 },
  });
  const parts: { session: PiSession | null } = { session: null };
  const current = (): PiSession => parts.session ?? made.session;
  const made = await pi.createAgentSession({
    cwd: join(place, "work"),
    agentDir: join(place, "agent"),
    modelRuntime,
    settingsManager,
    sessionManager: manager,
    model: faux.getModel("big"),
    noTools: "builtin",
    customTools: toolsOf({ session: current }),
  });
  parts.session = made.session;
  return new Writer({ pi, faux, session: made.session });
}

async function written(place: string, story: Story, index: number): Promise<string> {
  const folder = join(place, "sessions");
  const parent = story.as === "child" ? { parentSession: join(folder, "parent.jsonl") } : {};
  const manager = pi.SessionManager.create(join(place, "work"), folder, parent);
  const writer = await open({ place, manager });
  for (const name of story.steps) await steps[name](writer);
  writer.session.dispose();
  const path = join(place, "files", `${index}.jsonl`);
  await writeFile(path, aged(await readFile(manager.getSessionFile() ?? "", "utf8"), story.as));
  return path;
}
async function write(place: string): Promise<unknown> {
  for (const name of ["work", "agent", "sessions", "files", "opened"])
    await mkdir(join(place, name), { recursive: true });
  const paths: string[] = [];
  for (const [index, story] of stories.entries()) paths.push(await written(place, story, index));
  return { paths };
}
/** Of copies: older versions are rewritten where they are opened. */
async function view(place: string, paths: readonly string[]): Promise<unknown> {
  const views = paths.map(async (path, index) => {
    const copy = join(place, "opened", `${index}.jsonl`);
    await copyFile(path, copy);
    return viewOf(pi.SessionManager.open(copy));
  });
  return { views: await Promise.all(views) };
}
async function goOn(place: string, path: string): Promise<unknown> {
  const writer = await open({ place, manager: pi.SessionManager.open(path) });
  await writer.ask([writer.answer("I went on there.")]);
  writer.session.dispose();
  return { text: await readFile(path, "utf8") };
}

type Order = { readonly do: string; readonly place: string; readonly paths: readonly string[] };
function carryOut(order: Order): Promise<unknown> {
  if (order.do === "write") return write(order.place);
  return order.do === "view" ? view(order.place, order.paths) : goOn(order.place, order.paths[0] ?? "");
}
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await carryOut(JSON.parse(line));
  // Readers of lines take these for ends of lines.
  const text = JSON.stringify(answer).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  process.stdout.write(`${text}\n`);
}
