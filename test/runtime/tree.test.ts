/** The tree of a session: going back, labels, summaries, what extensions keep, and what is found again later. */
import {
  type AgentSession,
  createAgentSessionFromServices,
  type InlineExtension,
  SessionManager,
} from "@mooring/host/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Ear, RuntimeWorld, type StoreKind } from "./runtime-world.ts";

let world: RuntimeWorld;
beforeEach(async () => {
  world = await RuntimeWorld.open();
});
afterEach(() => world.end());

type Spoken = { readonly session: AgentSession; readonly ear: Ear; readonly ids: readonly string[] };
async function spoken(...extensions: InlineExtension[]): Promise<Spoken> {
  const session = await world.session(extensions);
  const ear = new Ear(session);
  await session.prompt("#say one");
  await session.prompt("#say two");
  return { session, ear, ids: (await session.tree.entries()).map(({ id }) => id) };
}
const texts = async (session: AgentSession): Promise<string[]> =>
  (await session.getMessages()).map((said) => JSON.stringify("content" in said ? said.content : ""));

describe.each<StoreKind>(["memory", "sqlite"])("on the %s store", (store) => {
  test("B138 B143: before a user message its text comes back, and the next prompt makes a sibling branch", async () => {
    await world.end();
    world = await RuntimeWorld.open(store);
    const { session, ids } = await spoken();
    expect(await session.navigateTree(ids[2] ?? "")).toEqual({ cancelled: false, editorText: "#say two" });
    await session.prompt("#say other");
    expect((await texts(session)).map((text) => text.includes("two"))).toEqual([false, false, false, false]);
    const siblings = (await session.tree.entries()).filter(({ parentId }) => parentId === ids[1]);
    expect(siblings.length).toBe(2);
    expect((await session.getUserMessagesForForking()).map(({ text }) => text)).toEqual([
      "#say one",
      "#say two",
      "#say other",
    ]);
    const { sessionFile } = session;
    await session.dispose();
    const services = await world.services();
    const again = await createAgentSessionFromServices({
      services,
      sessionManager: SessionManager.open(sessionFile ?? ""),
    });
    expect((await texts(again.session)).at(-1)).toContain("other"); // the place is stored
  });
});

test("B139: at an entry that is no user message nothing comes back; where it is already nothing happens", async () => {
  const { session, ids } = await spoken();
  expect(await session.navigateTree(ids[3] ?? "")).toEqual({ cancelled: false });
  expect(await session.navigateTree(ids[1] ?? "")).toEqual({ cancelled: false });
  expect((await texts(session)).length).toBe(2);
});

test("B140: a summary of what is left stands where it goes on, the label is on it, and the agent is told it", async () => {
  const moved: unknown[] = [];
  const { session, ids, ear } = await spoken((pi) => {
    pi.on("session_before_tree", () => ({ summary: "#say summarized" }));
    pi.on("session_tree", (event) => void moved.push(event));
  });
  await session.navigateTree(ids[1] ?? "", { summarize: true, label: "fresh" });
  const [summary, label] = (await session.tree.entries(ids[3])).filter(({ type }) => type !== "message");
  expect(summary).toMatchObject({ type: "branch_summary", parentId: ids[1], label: "fresh", data: { fromId: ids[3] } });
  expect(label).toMatchObject({ type: "label", parentId: summary?.id, data: { targetId: summary?.id } });
  expect(moved).toEqual([{ type: "session_tree", oldLeafId: ids[3], newLeafId: summary?.id }]);
  expect(
    ear
      .of("entry_appended")
      .slice(-2)
      .map(({ entryType }) => entryType),
  ).toEqual(["branch_summary", "label"]);
  const tree = await session.tree.tree();
  expect(tree[0]?.children[0]?.children.map(({ entry }) => entry.type)).toEqual(["message", "branch_summary"]);
});

test("without a handler's summary it says what the person asked there", async () => {
  const { session, ids } = await spoken();
  await session.navigateTree(ids[1] ?? "", { summarize: true });
  const text = await session.exportToJsonl();
  expect(text).toContain("Another branch");
  expect(text).toContain("#say two");
});

test("B141: while anything runs it is refused, and so is what is not there; a handler may cancel", async () => {
  let cancel = false;
  const { session, ids, ear } = await spoken((pi) => pi.on("session_before_tree", () => ({ cancel })));
  await expect(session.navigateTree("msg_none")).rejects.toMatchObject({ code: "no-such-entry" });
  const running = session.prompt("#bash sleep 5");
  await ear.until("tool_execution_start");
  await expect(session.navigateTree(ids[1] ?? "")).rejects.toMatchObject({ code: "session-busy" });
  await session.abort();
  await running;
  cancel = true;
  expect(await session.navigateTree(ids[1] ?? "")).toEqual({ cancelled: true });
});

test("labels are set, changed and taken away", async () => {
  const { session, ids } = await spoken();
  const [, answer = ""] = ids;
  const labelOf = async () => (await session.tree.entries()).find(({ id }) => id === answer)?.label;
  await session.setLabel(answer, "good");
  await session.setLabel(answer, "better");
  expect(await labelOf()).toBe("better");
  await session.setLabel(answer, undefined);
  expect(await labelOf()).toBeUndefined();
  await expect(session.setLabel("msg_none", "x")).rejects.toMatchObject({ code: "no-such-entry" });
});

test("what an extension keeps from inside a run is stored with it, and holds nothing up", async () => {
  const { session } = await spoken((pi) => {
    pi.on("tool_call", ({ toolName }) => pi.appendEntry("calls", { toolName }));
    pi.on("agent_end", () => pi.appendEntry("ends"));
  });
  await session.prompt("#bash true\n#say over");
  await session.appendCustomEntry("last");
  const kept = (await session.tree.entries()).filter(({ type }) => type === "custom").map(({ data }) => data);
  expect(kept).toEqual([
    ...[
      { customType: "ends", data: null },
      { customType: "ends", data: null },
    ],
    ...[
      { customType: "calls", data: { toolName: "bash" } },
      { customType: "ends", data: null },
    ],
    { customType: "last", data: null },
  ]);
});

test("B145 B156: a name is stored and told to subscribers first; a file has the branch that is shown", async () => {
  const order: string[] = [];
  const { session, ids } = await spoken((pi) =>
    pi.on("session_info_changed", ({ name }) => void order.push(`extension ${name}`)),
  );
  session.subscribe((event) => event.type === "session_info_changed" && order.push(`subscriber ${event.name}`));
  await session.setSessionName("My work");
  await session.prompt("#say three");
  expect(order).toEqual(["subscriber My work", "extension My work"]);
  expect([session.sessionName, (await world.host.stored.get(session.sessionId)).title]).toEqual(["My work", "My work"]);
  await session.navigateTree(ids[1] ?? "");
  const lines = (await session.exportToJsonl()).trimEnd().split("\n");
  expect(lines.slice(1).map((line) => JSON.parse(line).type)).toEqual(["message", "message", "session_info"]);
  const all = (await session.exportToJsonl({ branches: "all" })).trimEnd().split("\n");
  expect(all.slice(0, 3)).toEqual(lines.slice(0, 3));
  expect(all.length).toBe(8); // header, six messages, the name: the last, behind what is shown
  expect(JSON.parse(all.at(-1) ?? "")).toMatchObject({ type: "session_info", parentId: JSON.parse(lines[2] ?? "").id });
});
