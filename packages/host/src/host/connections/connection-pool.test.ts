import { expect, test } from "vitest";
import { ConnectionPool, type Slot } from "./connection-pool.ts";

function pool(size: number) {
  const taken: [string, Slot][] = [];
  let reaps = 0;
  const made = new ConnectionPool(size, () => {
    reaps++;
  });
  return {
    pool: made,
    names: () => taken.map(([name]) => name),
    reaps: () => reaps,
    acquire: (name: string) => made.acquire((slot) => taken.push([name, slot])),
    release: (name: string) => taken.find(([n]) => n === name)?.[1].release(),
  };
}

test("hands out no more than its size, then in the order asked; asks for a reap while somebody waits", () => {
  const p = pool(2);
  for (const name of ["a", "b", "c", "d"]) p.acquire(name);
  expect(p.names()).toEqual(["a", "b"]);
  expect(p.pool.isFull).toBe(true);
  expect(p.reaps()).toBe(2);
  p.release("b");
  expect(p.names()).toEqual(["a", "b", "c"]);
  p.release("a");
  expect(p.pool.isFull).toBe(true); // "d" had waited
  p.release("c");
  expect(p.pool.isFull).toBe(false);
});

test("a slot given back twice counts once; who gave up waiting gets none", () => {
  const p = pool(1);
  p.acquire("a");
  const leave = p.acquire("b");
  p.acquire("c");
  leave();
  p.release("a");
  p.release("a");
  p.acquire("d");
  expect(p.names()).toEqual(["a", "c"]);
  expect(p.pool.waiting).toBe(1);
});
