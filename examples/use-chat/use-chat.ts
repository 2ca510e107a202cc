/**
 * A chat on the terminal with the AI SDK's own chat class and transport: what `useChat` does in a page, without the page.
 *
 *   node examples/use-chat/use-chat.ts http://127.0.0.1:4483 TOKEN "list the files here"
 *
 * It prints what the agent says and does, asks about what needs an answer (without a terminal: no), and stops the turn on
 * Ctrl-C. Run it again with CHAT=<id> of an earlier run to go on with that chat.
 */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  type DynamicToolUIPart,
  isToolUIPart,
  type ToolUIPart,
  type UIMessage,
} from "ai";

/** What the server tells of each answer. The stop route needs the turn. */
type Metadata = { readonly sessionId: string; readonly turnId?: string; readonly inputId?: string };
type Message = UIMessage<Metadata>;
type ToolPart = ToolUIPart | DynamicToolUIPart;

/** A page keeps these in React's state; here each change is printed. */
class PrintedState implements ChatState<Message> {
  status: ChatState<Message>["status"] = "ready";
  error: Error | undefined = undefined;
  messages: Message[] = [];
  readonly #printed = new Map<string, string>();

  pushMessage = (message: Message): void => {
    this.messages = [...this.messages, message];
    this.#print(message);
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: Message): void => {
    this.messages = this.messages.with(index, this.snapshot(message));
    this.#print(message);
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);

  #print({ id, role, parts }: Message): void {
    if (role !== "assistant") return;
    for (const [at, part] of parts.entries()) {
      if (part.type === "text") this.#printRest(`${id}/${at}`, part.text);
      else if (isToolUIPart(part)) this.#printRest(`${id}/${at}/${part.state}`, toolLine(part));
    }
  }
  #printRest(name: string, text: string): void {
    const before = this.#printed.get(name) ?? "";
    if (text.length <= before.length) return;
    process.stdout.write(text.slice(before.length));
    this.#printed.set(name, text);
  }
}
const nameOf = (part: ToolPart): string => (part.type === "dynamic-tool" ? part.toolName : part.type.slice(5));
function toolLine(part: ToolPart): string {
  switch (part.state) {
    case "input-available":
      return `\n[${nameOf(part)}] ${JSON.stringify(part.input)}\n`;
    case "output-available":
      return `${typeof part.output === "string" ? part.output : JSON.stringify(part.output)}\n`;
    case "output-error":
      return `[failed] ${part.errorText}\n`;
    case "output-denied":
      return "[not allowed]\n";
    default:
      return "";
  }
}

class TerminalChat extends AbstractChat<Message> {}

const [url, token, prompt] = process.argv.slice(2);
if (url === undefined || token === undefined || prompt === undefined) {
  console.error('usage: node use-chat.ts URL TOKEN "what to do"');
  process.exit(2);
}
const id = process.env["CHAT"] ?? randomUUID();
const headers = { authorization: `Bearer ${token}` };
const state = new PrintedState();
const chat = new TerminalChat({
  id,
  state,
  transport: new DefaultChatTransport({ api: `${url}/api/chat`, headers }),
  onData: ({ type, data }) => console.error(`(${type} ${JSON.stringify(data)})`),
});

/** Ends the turn. The client's own `stop()` only leaves: the turn goes on. */
async function stopTurn(): Promise<void> {
  const turnId = chat.lastMessage?.metadata?.turnId;
  const stopped = await fetch(`${url}/api/chat/${id}/stop`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ turnId }),
  });
  console.error(`\n(stop: ${await stopped.text()})`);
}
process.on("SIGINT", () => {
  stopTurn().catch((cause: unknown) => console.error(`\n(not stopped: ${String(cause)})`));
});

const questions = (): ToolPart[] =>
  (chat.lastMessage?.parts ?? [])
    .filter((part) => isToolUIPart(part))
    .filter((part) => part.state === "approval-requested");

async function decide(part: ToolPart): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\nAllow ${nameOf(part)} ${JSON.stringify(part.input)}? [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}

await chat.sendMessage({ text: prompt });
while (questions().length > 0) {
  for (const part of questions())
    await chat.addToolApprovalResponse({ id: part.approval?.id ?? "", approved: await decide(part) });
  await chat.sendMessage(); // with the answers: the same message goes on
}
if (chat.error !== undefined) console.error(`\n${chat.error.message}`);
else console.log(`\n(go on with CHAT=${id})`);
process.exitCode = chat.error === undefined ? 0 : 1;
