/** `mooring sessions ls|show|rm|restore`. */
import type { MessageId, StoredMessage } from "@mooring/host";
import type { SessionsCommand } from "../command.ts";
import type { CommandHost } from "../command-host.ts";
import { limits } from "../limits.ts";
import { conversationText } from "../render/conversation-text.ts";
import { wordsOf } from "../render/view.ts";
import { agoText } from "../text/amounts.ts";
import { plainText } from "../text/plain-text.ts";
import { table } from "../text/table.ts";
import type { SessionListRow as Row } from "./all-sessions.ts";
import { type Context, listingRequest } from "./host-request.ts";
import { listing } from "./listing.ts";

type Of<K extends SessionsCommand["kind"]> = Extract<SessionsCommand, { kind: K }>;

export function sessions(request: SessionsCommand, context: Context): Promise<void> {
  return context.withHost(listingRequest(context, request.kind), async ({ host }) => {
    switch (request.kind) {
      case "sessions ls":
        return list(host, request, context);
      case "sessions show":
        return show(host, request, context);
      case "sessions rm":
        await host.remove(request.session);
        return context.terminal.out(
          `Removed. It is hidden now and gone for ever in ten minutes; until then:\n` +
            `  ${context.terminal.command} sessions restore ${plainText(request.session)}\n`,
        );
      case "sessions restore":
        await host.restore(request.session);
        return context.terminal.out("Restored.\n");
    }
  });
}

async function list(host: CommandHost, request: Of<"sessions ls">, { terminal }: Context): Promise<void> {
  const { search, limit, json } = request;
  const { items, more } = await newestSessions(host, limit, search);
  if (json) return terminal.out(listing(items));
  if (items.length === 0)
    return terminal.out(search === undefined ? "There are no sessions yet.\n" : "No session is like that.\n");
  const names = new Map((await host.agents.list()).map((agent) => [agent.id, agent.name]));
  const rows = await Promise.all(
    items.map(async (row) => [
      row.id,
      await titleOf(host, row),
      names.get(row.agentId) ?? "(removed)",
      stateOf(row),
      agoText(row.updatedAt, Date.now()),
    ]),
  );
  terminal.out(table(["ID", "TITLE", "AGENT", "STATE", "LAST USED"], rows, terminal.look));
  if (more) terminal.out(terminal.look.dim(`There are more: --limit ${limit * 2}\n`));
}

async function newestSessions(
  host: CommandHost,
  count: number,
  search: string | undefined,
): Promise<{ readonly items: readonly Row[]; readonly more: boolean }> {
  const text = search === undefined ? {} : { text: search };
  let items: readonly Row[] = [];
  let after: string | null = null;
  do {
    const place: { readonly after?: string } = after === null ? {} : { after };
    const limit = Math.min(count - items.length, limits.pageRows);
    const page = await host.list({ ...text, ...place, limit });
    items = [...items, ...page.items];
    after = page.next;
  } while (after !== null && items.length < count);
  return { items, more: after !== null };
}

async function titleOf(host: CommandHost, row: Row): Promise<string> {
  if (row.title !== null && row.title !== "") return row.title;
  const { messages } = await host.messages(row.id, { limit: limits.titleMessages });
  const first = messages.find((message) => message.role === "user");
  return first === undefined ? "(empty)" : wordsOf(first.parts);
}

function stateOf({ turn, lastOutcome, openApprovals, waitingInputs }: Row): string {
  if (openApprovals > 0) return "asks";
  if (turn !== null) return turn === "open" ? "working" : "waiting";
  if (waitingInputs > 0) return "input waits";
  return lastOutcome === "failed" || lastOutcome === "interrupted" ? lastOutcome : "idle";
}

async function show(host: CommandHost, request: Of<"sessions show">, { terminal }: Context): Promise<void> {
  const { session, limit, json } = request;
  const { messages, older } = await newest(host, session, limit);
  if (json) return terminal.out(listing(messages));
  if (older) terminal.out(terminal.look.dim(`(older messages: --limit ${limit * 2})\n\n`));
  if (messages.length === 0) return terminal.out("There are no messages yet.\n");
  terminal.out(conversationText(messages, await whyNot(host, session, messages), terminal.look));
}
/** What went wrong with the turns of those that did not complete. */
async function whyNot(
  host: CommandHost,
  session: string,
  messages: readonly StoredMessage[],
): Promise<ReadonlyMap<string, string>> {
  const ids = messages.flatMap(({ role, turnId }) => (role === "assistant" && turnId !== null ? [turnId] : []));
  const turns = ids.length === 0 ? [] : await host.turns(session, [...new Set(ids)].slice(-limits.turnReports));
  return new Map(turns.flatMap(({ id, message }) => (message === null || message === "" ? [] : [[id, message]])));
}

/** The newest `count` messages, oldest first. */
async function newest(
  host: CommandHost,
  session: string,
  count: number,
): Promise<{ readonly messages: readonly StoredMessage[]; readonly older: boolean }> {
  let messages: readonly StoredMessage[] = [];
  let before: MessageId | null = null;
  do {
    const place: { readonly before?: MessageId } = before === null ? {} : { before };
    const page = await host.messages(session, {
      ...place,
      limit: Math.min(count - messages.length, limits.pageRows),
    });
    messages = [...page.messages, ...messages];
    before = page.older;
  } while (before !== null && messages.length < count);
  return { messages, older: before !== null };
}
