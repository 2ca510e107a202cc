/**
 * A runtime for another process: commands in, answers and events out, one JSON object a line.
 *
 * Invariants: every line gets one answer, in what order it may, with the id it had; a line that is no command is answered
 * as `parse`, and nothing else happens; a prompt is answered when it is admitted; the end of the input ends it in order:
 * what runs is stopped and settled, the session says its shutdown.
 */
import { codeOf, MooringError, messageOf } from "../../protocol/errors.ts";
import { runtimeLimits } from "../limits.ts";
import type { AgentSessionRuntime } from "../replacement/agent-session-runtime.ts";
import { readLines } from "./read-lines.ts";
import { type RpcCommand, rpcCommand, rpcHead } from "./rpc-command.schema.ts";
import { RpcDialogs } from "./rpc-dialogs.ts";
import { handleRpc, noAnswer } from "./rpc-handlers.ts";

export type RpcModeOptions = {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** A line with its line feed. */
  readonly output: (line: string) => void;
};

/** Resolves when the input ended and the runtime is disposed of. */
export async function runRpcMode(runtime: AgentSessionRuntime, { input, output }: RpcModeOptions): Promise<void> {
  const send = (record: object): void => output(`${JSON.stringify(record)}\n`);
  const dialogs = new RpcDialogs(send);
  const bind = sessionBinder(runtime, dialogs, send);
  runtime.setRebindSession(bind);
  await bind();
  const running = new Set<Promise<void>>();
  for await (const line of readLines(input, runtimeLimits.rpcLineBytes)) {
    if (line?.trim() === "") continue;
    const work = answerLine(line, { runtime, dialogs }, send).finally(() => running.delete(work));
    running.add(work);
  }
  dialogs.closeAll();
  await runtime.dispose();
  await Promise.all(running);
}

function sessionBinder(runtime: AgentSessionRuntime, dialogs: RpcDialogs, send: (record: object) => void) {
  let unsubscribe = (): void => {};
  return async (): Promise<void> => {
    unsubscribe();
    const { session } = runtime;
    unsubscribe = session.subscribe(send);
    await session.bindExtensions({
      mode: "rpc",
      uiContext: dialogs.ui,
      commandContextActions: {
        newSession: (options) => runtime.newSession(options),
        fork: (entryId, options) => runtime.fork(entryId, options),
        switchSession: (path, options) => runtime.switchSession(path, options),
      },
      onError: (error) => send({ type: "extension_error", ...error }),
    });
  };
}

type Context = Parameters<typeof handleRpc>[1];
async function answerLine(line: string | null, context: Context, send: (record: object) => void): Promise<void> {
  const parsed = parse(line);
  if ("problem" in parsed) return send(failure(parsed.head, parsed.problem));
  const { command } = parsed;
  const head = { ...(command.id === undefined ? {} : { id: command.id }), type: "response", command: command.type };
  try {
    const data = await handleRpc(command, context);
    if (data !== noAnswer) send({ ...head, success: true, ...(data === undefined ? {} : { data }) });
  } catch (cause) {
    send(failure(head, cause));
  }
}
const failure = (head: object, cause: unknown): object => ({
  ...head,
  success: false,
  error: messageOf(cause),
  code: codeOf(cause, "failed"),
});

type Parsed = { readonly command: RpcCommand } | { readonly head: object; readonly problem: MooringError };
function parse(line: string | null): Parsed {
  const unreadable = { type: "response", command: "parse" };
  if (line === null)
    return { head: unreadable, problem: bad(`A line has at most ${runtimeLimits.rpcLineBytes} bytes.`) };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { head: unreadable, problem: bad("The line is no JSON.") };
  }
  const command = rpcCommand.safeParse(value);
  if (command.success) return { command: command.data };
  const known = rpcHead.safeParse(value).data;
  if (known?.type === undefined) return { head: unreadable, problem: bad('A command is an object with a "type".') };
  const head = { ...(known.id === undefined ? {} : { id: known.id }), type: "response", command: known.type };
  const [issue] = command.error.issues;
  return { head, problem: bad(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not understood"}`) };
}
const bad = (message: string): MooringError => new MooringError("bad-command", message);
