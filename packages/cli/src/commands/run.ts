/**
 * `mooring run`: one prompt in a new session or an old one, followed until the run is over. An old session's open
 * questions come first: nothing new starts while the agent waits for an answer.
 */
import { resolve } from "node:path";
import type { SessionView } from "@mooring/host";
import type { RunCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { type Departure, withDeparture } from "../follow/departure.ts";
import { followSession } from "../follow/follow-session.ts";
import type { Follower } from "../follow/follower.ts";
import { eventLine } from "../follow/output.ts";
import { isAtRest, type RunState } from "../follow/run-state.ts";
import { limits } from "../limits.ts";
import { wordsOf } from "../render/view.ts";
import { oneLine, plainText } from "../text/plain-text.ts";
import { type Context, turnsRequest } from "./host-request.ts";
import { promptOf } from "./run-prompt.ts";

type Run = Context & {
  readonly request: RunCommand;
  readonly prompt: string | null;
  readonly host: CommandHost;
  readonly departure: Departure;
  readonly session: SessionView;
};

/** Resolves to the exit status. */
export async function run(request: RunCommand, context: Context): Promise<number> {
  const { terminal } = context;
  const prompt = await promptOf(request, terminal);
  const workspace = resolve(terminal.cwd, request.workspace ?? ".");
  if (request.session === undefined && !request.json)
    terminal.out(`${terminal.look.dim("workspace")} ${plainText(workspace)}\n`);
  return withDeparture(context, turnsRequest(context, "run", [workspace]), async ({ host }, departure) => {
    const session = await sessionOf(host, request, { prompt, workspace });
    return runIn({ ...context, request, prompt, host, departure, session });
  });
}

async function sessionOf(
  host: CommandHost,
  { session: id, agent, mode }: RunCommand,
  { prompt, workspace }: { readonly prompt: string | null; readonly workspace: string },
): Promise<SessionView> {
  const permissionMode = mode === undefined ? {} : { permissionMode: mode };
  if (id !== undefined) return mode === undefined ? host.get(id) : host.update(id, permissionMode);
  const title = oneLine(prompt ?? "", limits.titleChars);
  return host.create({ workspace, title, ...permissionMode, ...(agent === undefined ? {} : { agent }) });
}

async function runIn(run: Run): Promise<number> {
  const { request, prompt, host, session, terminal, departure } = run;
  if (request.json) await printSnapshot(run);
  else await printHead(run);
  const following = { host, sessionId: session.id, terminal, departure, json: request.json };
  // Without anyone to answer, a prompt is stored at once: it waits its turn behind what is asked.
  const answersFirst = request.session !== undefined && (terminal.isInteractive || prompt === null);
  const earlier = answersFirst ? await followSession(following, async () => {}) : null;
  const isLast = prompt === null || departure.left !== null;
  const state = isLast ? earlier : await followSession(following, (follower) => submit(run, follower, prompt));
  if (!request.json) terminal.out(continueText(run));
  return state === null ? exitCodes.done : statusOf(run, state);
}

async function submit({ terminal, request }: Run, follower: Follower, text: string): Promise<void> {
  const isBusy = follower.state.turns.size > 0;
  await follower.submit({ text, headless: !terminal.isInteractive });
  if (isBusy && !request.json) terminal.out("Queued: it starts when the running turn is over.\n");
}

/** What is not answered is not done, whatever ended in between. */
function statusOf({ prompt }: Run, state: RunState): number {
  if (!isAtRest(state)) return exitCodes.failed;
  const status = exitCodeOf(state.outcome);
  return status === exitCodes.done && prompt !== null && state.outcome === null ? exitCodes.failed : status;
}

async function printSnapshot({ host, session, terminal }: Run): Promise<void> {
  const event = await host.snapshot(session.id);
  terminal.out(eventLine({ cursor: event.cursor, event }));
}

async function printHead({ host, session, request, terminal }: Run): Promise<void> {
  const { look } = terminal;
  if (request.session !== undefined) terminal.out(`${look.dim("workspace")} ${plainText(session.workspace)}\n`);
  const mode = session.permissionMode === null ? "" : ` · mode ${session.permissionMode}`;
  const facts = `· agent ${oneLine(session.agentName, 64)}${mode}`;
  terminal.out(`${look.dim("session  ")} ${session.id} ${look.dim(facts)}\n`);
  if (terminal.isInteractive) terminal.out(look.dim("Type a line to steer the agent; Ctrl-C stops it.\n"));
  terminal.out("\n");
  if (request.session === undefined) return;
  terminal.out(await interruptedText(host, session, terminal));
  terminal.out(await heldText(host, session, terminal));
}

/** Whoever goes on must know that the agent did not finish. */
async function interruptedText(host: CommandHost, { id }: SessionView, { look }: Run["terminal"]): Promise<string> {
  const { messages } = await host.messages(id, { limit: 1 });
  if (messages.at(-1)?.status !== "interrupted") return "";
  const what = "■ The last turn was interrupted: what it wrote is kept, what it was doing is not done again.";
  return `${look.yellow(what)}\n\n`;
}

/** Inputs that wait for a person's word, with the words. */
async function heldText(host: CommandHost, { id }: SessionView, { command, look }: Run["terminal"]): Promise<string> {
  const held = (await host.inputs(id).list()).filter((input) => input.state === "held");
  if (held.length === 0) return "";
  const lines = held.map(
    (row) => `${look.yellow(`‖ held (${row.reason ?? "held"}):`)} ${wordsOf(row.input.parts)} ${look.dim(row.id)}\n`,
  );
  return `${lines.join("")}${look.dim(`  ${command} queue release ${id}   (or: ${command} queue rm ${id} INPUT)`)}\n\n`;
}

function continueText({ session, terminal }: Run): string {
  const { look, command } = terminal;
  const next = `${command} run --session ${session.id} "…"`;
  return `\n${look.dim("session  ")} ${session.id}\n${look.dim("continue ")} ${next}\n`;
}
