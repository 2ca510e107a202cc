import { expect, test } from "vitest";
import type { SessionListRow } from "../api/types.ts";
import { applyHostEvent, type HostView } from "./host-view.ts";

const row = (id: string, title = id): SessionListRow => ({ id, title }) as SessionListRow;
const view: HostView = { sessions: [row("b"), row("a")], next: "7", approvals: [], isLost: true };
const asked = {
  type: "approval.requested",
  sessionId: "a",
  approvalId: "apr_1",
  toolCallId: "c",
  toolName: "bash",
  input: {},
  durable: true,
} as const;

test("a new session comes first, a known one keeps its place, a removed one goes", () => {
  const changed = (id: string, session: SessionListRow | null): readonly string[] =>
    applyHostEvent(view, { type: "session.changed", sessionId: id, session }).sessions.map(({ title }) => title ?? "");
  expect(changed("c", row("c"))).toEqual(["c", "b", "a"]);
  expect(changed("a", row("a", "renamed"))).toEqual(["b", "renamed"]);
  expect(changed("b", null)).toEqual(["a"]);
});
test("a question is shown once, and goes when it is answered", () => {
  const once = applyHostEvent(applyHostEvent(view, asked), asked);
  expect(once.approvals.map(({ id }) => id)).toEqual(["apr_1"]);
  const over = { type: "approval.closed", sessionId: "a", approvalId: "apr_1", how: "allow", answer: null } as const;
  expect(applyHostEvent(once, over).approvals).toEqual([]);
});
test("older sessions come after those known, each once; a snapshot is all there is", () => {
  const older = applyHostEvent(view, { type: "older", items: [row("a"), row("z")], next: null });
  expect([older.sessions.map(({ id }) => id), older.next]).toEqual([["b", "a", "z"], null]);
  const fresh = applyHostEvent(view, { type: "snapshot", sessions: [row("n")], next: null, approvals: [] });
  expect(fresh).toEqual({ sessions: [row("n")], next: null, approvals: [], isLost: false });
});
