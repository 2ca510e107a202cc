import { expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";

const limit = 3;

async function rest<T>(queue: EventQueue<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

test("events are read in order, also those pushed before the end", async () => {
  const queue = new EventQueue<number>(limit);
  queue.push(1);
  const reading = rest(queue);
  queue.push(2);
  await Promise.resolve();
  queue.push(3);
  queue.end();
  queue.push(4);
  expect(await reading).toEqual([1, 2, 3]);
});

test("a second reader is refused", async () => {
  const queue = new EventQueue<number>(limit);
  const first = rest(queue);
  await expect(rest(queue)).rejects.toMatchObject({ code: "events-taken" });
  queue.end();
  await first;
});

test("a full queue has room again when it is read, or at its end", async () => {
  const queue = new EventQueue<number>(limit);
  for (let i = 0; i < limit; i++) queue.push(i);
  const seen: string[] = [];
  const waiting = queue.room().then(() => seen.push("room"));
  await Promise.resolve();
  expect(seen).toEqual([]);
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  await waiting;
  expect(seen).toEqual(["room"]);
  queue.end();
  await queue.room();
});
