import { expect, test } from "vitest";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { NoteThrottle } from "./note-throttle.ts";

const context = (usage: number): AgentEvent => ({ type: "note", connection: 1, note: { kind: "context", usage } });
const task = (taskId: string, event: string): AgentEvent => ({
  type: "note",
  connection: 1,
  note: { kind: "background", data: { taskId, event } },
});
function throttle() {
  const clock = new VirtualClock();
  const posted: AgentEvent[] = [];
  return { clock, posted, notes: new NoteThrottle(clock, 1_000, (event) => posted.push(event)) };
}

test("the first at once, then the newest at the end of each interval, then silence", () => {
  const { clock, posted, notes } = throttle();
  for (const usage of [1, 2, 3]) notes.offer(context(usage));
  clock.advance(1_000);
  notes.offer(context(4));
  clock.advance(5_000);
  notes.offer(context(5));
  expect(posted).toEqual([1, 3, 4, 5].map(context));
});

test("other events pass, and each background task keeps its own last state", () => {
  const { clock, posted, notes } = throttle();
  const title: AgentEvent = { type: "note", connection: 1, note: { kind: "title", title: "t" } };
  for (const event of [task("a", "start"), task("b", "start"), task("a", "end"), title, title]) notes.offer(event);
  expect(posted).toEqual([task("a", "start"), task("b", "start"), title, title]);
  clock.advance(1_000);
  expect(posted.at(-1)).toEqual(task("a", "end"));
});

test("what is held goes out with the end of the connection and no timer stays", () => {
  const { clock, posted, notes } = throttle();
  for (const usage of [1, 2]) notes.offer(context(usage));
  notes.flush();
  expect(posted).toEqual([1, 2].map(context));
  expect(clock.pending()).toEqual([]);
});

test("without bound on kinds nothing is lost: all go out early", () => {
  const { posted, notes } = throttle();
  for (let i = 0; i < 600; i++) notes.offer(task(`t${i}`, "start"));
  expect(posted.length).toBe(600);
});
