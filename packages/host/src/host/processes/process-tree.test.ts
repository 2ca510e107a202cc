import { expect, test } from "vitest";
import type { ProcessTable } from "./process-table.ts";
import { ProcessTree } from "./process-tree.ts";

/** `[pid, ppid, startTime]` per process. */
const table = (...rows: readonly (readonly [number, number, string])[]): ProcessTable =>
  new Map(rows.map(([pid, ppid, startTime]) => [pid, { pid, ppid, startTime }]));

test("a descendant that lost its parent is still a member, and known as escaped", () => {
  const tree = new ProcessTree(10, "a");
  const before = tree.look(table([10, 1, "a"], [11, 10, "b"], [12, 11, "c"]));
  expect(before).toEqual({ root: true, descendants: [11, 12], escaped: [] });
  const after = tree.look(table([10, 1, "a"], [12, 1, "c"]));
  expect(after).toEqual({ root: true, descendants: [12], escaped: [12] });
});

test("what an escaped one starts is a member too", () => {
  const tree = new ProcessTree(10, "a");
  tree.look(table([10, 1, "a"], [12, 10, "c"]));
  expect(tree.look(table([12, 1, "c"], [13, 12, "d"]))).toEqual({
    root: false,
    descendants: [12, 13],
    escaped: [12, 13],
  });
});

test("a reused pid is another process: as root it has no family here, as descendant it is forgotten", () => {
  const tree = new ProcessTree(10, "a");
  tree.look(table([10, 1, "a"], [11, 10, "b"]));
  const reused = tree.look(table([10, 1, "z"], [11, 10, "y"], [12, 11, "x"]));
  expect(reused).toEqual({ root: false, descendants: [], escaped: [] });
  expect(tree.hasDescendants).toBe(false);
});
