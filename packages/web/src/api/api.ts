/**
 * What the page asks of its server, over the client. Rows come back under the host's own types: the API's schemas are
 * checked against those where they are declared.
 */
import { createClient, type Fetch, type Schemas, type UsageQuery } from "@mooring/client";
import type { ApprovalRow, Part, SessionEvent, Snapshot } from "@mooring/host/protocol";
import type { Page, SessionViewer } from "../session/session-viewer.ts";
import type {
  AgentRow,
  Directories,
  DriverInfo,
  HostEvent,
  NewAgent,
  SessionListRow,
  SessionView,
  TurnReport,
  UsageTotal,
  UsageView,
} from "./types.ts";

const url = window.location.origin;
const client = createClient({ url });

type Connection = "live" | "lost";
/** A client that tells whether its server is heard. */
function heardClient(connection: (state: Connection) => void) {
  const fetch: Fetch = async (request) => {
    try {
      const response = await globalThis.fetch(request);
      connection(response.status < 500 ? "live" : "lost");
      return response;
    } catch (cause) {
      if (!request.signal.aborted) connection("lost");
      throw cause;
    }
  };
  return createClient({ url, fetch });
}

type Followed = { readonly signal: AbortSignal; readonly connection: (state: Connection) => void };
type Watched = {
  readonly signal: AbortSignal;
  readonly connection: (isLost: boolean) => void;
  readonly hear: (event: HostEvent) => void;
};

const eventLists = {
  /** Until the signal. Rejects when no further try mends it. */
  async follow(id: string, viewer: SessionViewer, { signal, connection }: Followed): Promise<void> {
    const heard = heardClient(connection);
    const first = (await client.snapshot(id)) as unknown as Snapshot;
    if (signal.aborted) return; // the viewer is followed by somebody else now
    viewer.begin(first);
    let after: string = first.replay ?? first.cursor;
    while (!signal.aborted) {
      for await (const delivered of heard.events(id, { after, signal })) {
        const event = delivered.event as unknown as SessionEvent | Snapshot;
        if (event.type === "snapshot") {
          viewer.begin(event);
          after = event.replay ?? event.cursor;
          if (event.replay !== null) break;
        } else if ("at" in delivered) viewer.hear(event, { at: delivered.at, cursor: delivered.cursor });
      }
    }
  },
  async watch({ signal, connection, hear }: Watched): Promise<void> {
    const heard = heardClient((state) => connection(state === "lost"));
    for await (const event of heard.watch({ signal })) hear(event as unknown as HostEvent);
  },
};

const sessionCalls = {
  sessions: async (after: string) =>
    (await client.list({ after })) as unknown as { items: readonly SessionListRow[]; next: string | null },
  create: async (session: Schemas["NewSession"]) => (await client.create(session)) as unknown as SessionView,
  session: async (id: string) => (await client.get(id)) as unknown as SessionListRow,
  rename: (id: string, title: string) => client.update(id, { title }),
  remove: (id: string) => client.remove(id),
  restore: (id: string) => client.restore(id),
  fork: (id: string, fork: Schemas["Fork"]) => client.fork(id, fork),
  exportUrl: (id: string) => `/v1/sessions/${encodeURIComponent(id)}/export?format=markdown`,
  messages: async (id: string, page: { readonly before?: string; readonly limit: number }) =>
    (await client.messages(id, page)) as unknown as Page,
  turns: async (id: string, ids: readonly string[]) =>
    (await client.turns(id, ids)) as unknown as readonly TurnReport[],
  sessionUsage: async (id: string) => (await client.usage(id)) as unknown as UsageView,
  directories: async (path: string | null) => (await client.directories(path ?? undefined)) as unknown as Directories,
};

const turnCalls = {
  submit: (id: string, input: { readonly parts: readonly Part[]; readonly delivery?: "steer" | "queue" }) =>
    client.submit(id, input as Schemas["NewInput"], { key: crypto.randomUUID() }),
  stop: (id: string, turn: string) => client.stop(id, turn),
  editInput: (id: string, input: string, text: string) => client.inputs(id).edit(input, [{ type: "text", text }]),
  moveInput: (id: string, input: string, before: string | null) => client.inputs(id).move(input, before),
  cancelInput: (id: string, input: string) => client.inputs(id).cancel(input),
  release: (id: string, input?: string) => client.inputs(id).release(input),
  answer: async (id: string, answer: Schemas["NewAnswer"]) =>
    (await client.answer(id, answer)) as unknown as { approval: ApprovalRow },
  /** Its `url` names it in a part. */
  putFile: (file: File) =>
    client.putFile({ name: file.name, mediaType: file.type || "application/octet-stream", bytes: file }),
};

const agentCalls = {
  agents: async () => (await client.agents.list()) as unknown as readonly AgentRow[],
  defaultAgent: async () => (await client.agents.default()) as unknown as AgentRow | null,
  setDefaultAgent: (name: string) => client.agents.setDefault(name),
  addAgent: (agent: NewAgent) => client.agents.add(agent as Schemas["NewAgent"]),
  changeAgent: (id: string, patch: NewAgent) => client.agents.update(id, patch as Schemas["AgentPatch"]),
  drivers: async () => (await client.drivers()) as unknown as readonly DriverInfo[],
  usage: async (by: UsageQuery["by"], from: number) =>
    (await client.usageTotals({ by, from })) as unknown as readonly UsageTotal[],
};

export const api = { ...eventLists, ...sessionCalls, ...turnCalls, ...agentCalls };
