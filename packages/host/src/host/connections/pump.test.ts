import { expect, test } from "vitest";
import type { AgentRuntimeEvent } from "../../ports/driver.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { PushStream } from "../../testing/push-stream.ts";
import { Records } from "../../testing/records.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Pump } from "./pump.ts";

function pump() {
  const stream = new PushStream<AgentRuntimeEvent>();
  const posted = new Records<AgentEvent>();
  const ends = new Records<{ readonly cause: unknown }>();
  const clock = new VirtualClock();
  const stamp = { connection: 1, generationOf: (turn: string) => turn, clean: (text: string) => text };
  const made = new Pump(
    {
      clock,
      noteMs: 1_000,
      stamp,
      stored: () => null,
      post: (event) => posted.add(event),
      ended: (cause) => ends.add({ cause }),
    },
    stream,
  );
  return { stream, posted, ends, clock, pump: made };
}
const token = (text: string): AgentRuntimeEvent => ({ type: "resume-token", token: text });

test("posts in order and tells the end once", async () => {
  const { stream, posted, ends } = pump();
  for (const text of ["a", "b"]) stream.push(token(text));
  stream.end();
  expect(await ends.next()).toEqual({ cause: undefined });
  expect(posted.all.map((event) => event.type === "resume-token" && event.token)).toEqual(["a", "b"]);
  expect(ends.all.length).toBe(1);
});

test("pulls one at a time, and none while reading is off", async () => {
  const { stream, posted, pump: p } = pump();
  p.read(false);
  stream.push(token("a")); // was asked for before
  stream.push(token("b"));
  await posted.next();
  expect(stream.pulls).toBe(1);
  expect(posted.all.length).toBe(1);
  p.read(true);
  await posted.next();
  expect(stream.pulls).toBe(3);
});

test("a stream that throws ends with its cause", async () => {
  const { stream, ends } = pump();
  stream.end("broken");
  expect(await ends.next()).toEqual({ cause: "broken" });
});

test("after stop nothing is posted, not even what was held back", async () => {
  const { stream, posted, ends, clock, pump: p } = pump();
  const usage = (used: number): AgentRuntimeEvent => ({ type: "context-usage", usage: { used, window: 10 } });
  stream.push(usage(1));
  stream.push(usage(2));
  await posted.next();
  p.stop();
  stream.push(token("late"));
  stream.end();
  clock.advance(10_000);
  await Promise.resolve();
  expect(posted.all.length).toBe(1);
  expect(ends.all.length).toBe(0);
});
