import { expect, test } from "vitest";
import { createEventBus, ownedBus } from "./event-bus.ts";

test("B157: a handler that throws or rejects is reported, the others are called, and emit returns", async () => {
  const errors: string[] = [];
  const bus = createEventBus({ onError: (channel, error) => errors.push(`${channel} ${String(error)}`) });
  const got: unknown[] = [];
  bus.on("c", () => {
    throw new TypeError("at once");
  });
  bus.on("c", async () => {
    throw new TypeError("later");
  });
  bus.on("c", (data) => void got.push(data));
  bus.emit("c", 1);
  expect(got).toEqual([1]);
  await new Promise(setImmediate);
  expect(errors).toEqual(["c TypeError: at once", "c TypeError: later"]);
});

test("B158: a handler taken away is skipped, clear takes all away, and no channel is special", () => {
  const bus = createEventBus();
  const got: string[] = [];
  const handler = (data: unknown): void => void got.push(String(data));
  const off = bus.on("c", handler);
  bus.on("c", handler);
  off();
  off();
  bus.emit("c", "one");
  bus.clear();
  bus.emit("c", "two");
  bus.emit("error", "nobody listens");
  expect(got).toEqual(["one"]);
});

test("a handler that comes or goes during an emit does not change that emit", () => {
  const bus = createEventBus();
  const got: string[] = [];
  const off = bus.on("c", () => {
    off();
    bus.on("c", () => void got.push("new"));
  });
  bus.on("c", () => void got.push("old"));
  bus.emit("c", null);
  expect(got).toEqual(["old"]);
});

test("what one owner subscribed is gone when it is released, and nothing else", () => {
  const bus = createEventBus();
  const got: string[] = [];
  const [mine, other] = [ownedBus(bus), ownedBus(bus)];
  mine.on("c", () => void got.push("mine"));
  other.on("c", () => void got.push("other"));
  mine.release();
  other.emit("c", null);
  expect(got).toEqual(["other"]);
});
