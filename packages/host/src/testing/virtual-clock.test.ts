import { expect, test } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";

test("fires due timers in order, ties as armed, each at its own time", () => {
  const clock = new VirtualClock(1000);
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name}@${clock.monotonic()}/${clock.now()}`);
  clock.after(30, note("c"));
  clock.after(10, note("a"));
  clock.after(30, note("d"));
  clock.after(20, note("b"));
  clock.advance(25);
  expect(seen).toEqual(["a@10/1010", "b@20/1020"]);
  expect(clock.monotonic()).toBe(25);
  expect(clock.pending()).toEqual([5, 5]);
  clock.advance(5);
  expect(seen.slice(2)).toEqual(["c@30/1030", "d@30/1030"]);
  expect(clock.pending()).toEqual([]);
});

test("a timer armed by another fires within the same advance", () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const again = () => {
    seen.push(clock.monotonic());
    clock.after(10, again);
  };
  clock.after(10, again);
  clock.advance(35);
  expect(seen).toEqual([10, 20, 30]);
});

test("a cancelled timer is gone, also when another cancels it at the same time", () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  let cancel = () => {};
  clock.after(10, () => cancel());
  cancel = clock.after(10, () => seen.push("late"));
  clock.advance(10);
  expect(seen).toEqual([]);
  cancel();
  expect(clock.pending()).toEqual([]);
});

test("a jump of the wall clock moves no timer", () => {
  const clock = new VirtualClock(5000);
  const seen: string[] = [];
  clock.after(10, () => seen.push("fired"));
  clock.jump(-4000);
  expect([clock.now(), clock.monotonic(), seen.length]).toEqual([1000, 0, 0]);
  clock.advance(10);
  expect([clock.now(), seen]).toEqual([1010, ["fired"]]);
});
