/** What each command of the rpc mode does. Each answers with its data, or rejects with a typed error. */
import { MooringError } from "../../index.ts";
import type { AgentSessionRuntime } from "../replacement/agent-session-runtime.ts";
import type { RpcCommand, RpcCommandType } from "./rpc-command.schema.ts";
import type { RpcDialogs } from "./rpc-dialogs.ts";

export type RpcContext = {
  readonly runtime: AgentSessionRuntime;
  readonly dialogs: RpcDialogs;
};
type Of<T extends RpcCommandType> = Extract<RpcCommand, { readonly type: T }>;
type Handler<T extends RpcCommandType> = (command: Of<T>, context: RpcContext) => unknown;
type Handlers = { readonly [T in RpcCommandType]: Handler<T> };

const handlers: Handlers = {
  prompt: (command, context) => prompt(command, context),
  steer: ({ message, images }, { runtime }) => runtime.session.steer(message, images),
  follow_up: ({ message, images }, { runtime }) => runtime.session.followUp(message, images),
  abort: (_, { runtime }) => runtime.session.abort(),
  abort_retry: (_, { runtime }) => runtime.session.abortRetry(),
  clear_queue: (_, { runtime }) => runtime.session.clearQueue(),
  compact: ({ customInstructions }, { runtime }) => runtime.session.compact(customInstructions),
  new_session: ({ parentSession }, { runtime }) =>
    runtime.newSession(parentSession === undefined ? {} : { parentSession }),
  switch_session: ({ sessionPath, cwd }, { runtime }) =>
    runtime.switchSession(sessionPath, cwd === undefined ? {} : { cwdOverride: cwd }),
  fork: async ({ entryId }, { runtime }) => {
    const { selectedText: text, cancelled } = await runtime.fork(entryId);
    return { text, cancelled };
  },
  clone: (_, context) => clone(context),
  import_session: ({ path, cwd }, { runtime }) => runtime.importFromJsonl(path, cwd),
  get_state: (_, context) => state(context),
  get_messages: async (_, { runtime }) => ({ messages: await runtime.session.getMessages() }),
  get_entries: async ({ since }, { runtime: { session } }) => ({
    entries: await session.tree.entries(since),
    leafId: (await session.tree.read()).leaf,
  }),
  get_tree: async (_, { runtime: { session } }) => ({
    tree: await session.tree.tree(),
    leafId: (await session.tree.read()).leaf,
  }),
  get_fork_messages: async (_, { runtime }) => ({ messages: await runtime.session.getUserMessagesForForking() }),
  get_last_assistant_text: (_, context) => lastText(context),
  navigate_tree: ({ targetId, summarize = false, label }, { runtime }) =>
    runtime.session.navigateTree(targetId, { summarize, ...(label === undefined ? {} : { label }) }),
  set_label: ({ entryId, label }, { runtime }) => runtime.session.setLabel(entryId, label),
  set_session_name: ({ name }, { runtime }) => runtime.session.setSessionName(name),
  export_jsonl: async ({ branches = "shown" }, { runtime }) => ({
    text: await runtime.session.exportToJsonl({ branches }),
  }),
  get_commands: (_, { runtime }) => ({ commands: runtime.session.getCommands() }),
  get_available_models: async (_, { runtime }) => ({ models: await runtime.services.modelRuntime.getAvailable() }),
  set_model: ({ provider, modelId }, context) => setModel(provider, modelId, context),
  set_thinking_level: ({ level }, { runtime }) => runtime.session.setThinkingLevel(level),
  set_steering_mode: ({ mode }, { runtime }) => runtime.session.setSteeringMode(mode),
  set_follow_up_mode: ({ mode }, { runtime }) => runtime.session.setFollowUpMode(mode),
  answer_approval: ({ approvalId, decision, input, reason }, { runtime }) =>
    runtime.session.answerApproval(approvalId, {
      decision,
      ...(input === undefined ? {} : { input }),
      ...(reason === undefined ? {} : { reason }),
    }),
  extension_ui_response: (command, context) => dialogAnswer(command, context),
};

/** Resolves with the data of the answer; undefined: none. */
export async function handleRpc(command: RpcCommand, context: RpcContext): Promise<unknown> {
  // Each type has the handler of its own type.
  const handler = handlers[command.type] as unknown as Handler<RpcCommandType>;
  return handler(command as never, context);
}

/** Answered when it is admitted: that it begins, and all that becomes of it, are events. */
function prompt({ message, images, streamingBehavior }: Of<"prompt">, { runtime }: RpcContext): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const prompted = runtime.session.prompt(message, {
      source: "rpc",
      ...(images === undefined ? {} : { images }),
      ...(streamingBehavior === undefined ? {} : { streamingBehavior }),
      admitted: (disposition) => resolve({ disposition }),
    });
    prompted.then(resolve, reject); // after its admission neither says anything new
  });
}
async function clone({ runtime }: RpcContext): Promise<unknown> {
  const { leaf } = await runtime.session.tree.read();
  if (leaf === null) throw new MooringError("not-stored-yet", "There is nothing to clone yet. Send a message first.");
  return runtime.fork(leaf, { position: "at" });
}
async function state({ runtime: { session } }: RpcContext): Promise<unknown> {
  return {
    model: session.model,
    thinkingLevel: session.thinkingLevel ?? null,
    steeringMode: session.steeringMode,
    followUpMode: session.followUpMode,
    isStreaming: session.isStreaming,
    isCompacting: session.isCompacting,
    isRetrying: session.isRetrying,
    sessionFile: session.sessionFile,
    sessionId: session.sessionId,
    sessionName: session.sessionName,
    cwd: session.cwd,
    messageCount: (await session.getMessages()).length,
    pendingMessageCount: session.pendingMessageCount,
  };
}
async function lastText({ runtime }: RpcContext): Promise<{ readonly text: string | null }> {
  const last = (await runtime.session.getMessages()).findLast(({ role }) => role === "assistant");
  if (last?.role !== "assistant") return { text: null };
  return { text: last.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") };
}
function setModel(provider: string, modelId: string, { runtime }: RpcContext): unknown {
  const model = runtime.services.modelRuntime.getModel(provider, modelId);
  if (model === undefined) throw new MooringError("no-such-model", `There is no model "${modelId}" of "${provider}".`);
  runtime.session.setModel(model);
  return model;
}
function dialogAnswer(
  { id, value, confirmed, cancelled }: Of<"extension_ui_response">,
  { dialogs }: RpcContext,
): unknown {
  const answer = cancelled === true ? {} : { value, confirmed };
  if (id !== undefined && dialogs.answer(String(id), answer)) return noAnswer;
  throw new MooringError("no-such-dialog", "No such dialog is open: it was answered, or what asked is over.");
}
/** The one command that is itself an answer. */
export const noAnswer = Symbol("no answer");
