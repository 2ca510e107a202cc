import { expect, test } from "vitest";
import { CompactionWatch } from "./compaction-watch.ts";
import type { Frame } from "./frames.ts";

const frame = (fields: object): Frame => ({ type: "system", ...fields }) as unknown as Frame;
const summary = frame({ type: "user", message: { content: "What was said, in short." } });
const begin = (watch: CompactionWatch): void => {
  watch.status(frame({ status: "compacting" }), "manual");
  watch.boundary(frame({ compact_metadata: { trigger: "manual" } }));
};
const completed = [{ type: "compaction-complete", done: { summary: "What was said, in short." } }];

test("one that was asked for is over when the agent takes messages again, with the summary it gave before", () => {
  const watch = new CompactionWatch();
  begin(watch);
  expect(watch.message(summary, true)).toEqual([]);
  expect(watch.message(frame({ type: "user", message: { content: "not the summary" } }), true)).toEqual([]);
  expect(watch.end()).toMatchObject(completed);
  expect(watch.end()).toEqual([]);
});
test("one inside a turn is over with its summary: the turn goes on", () => {
  const watch = new CompactionWatch();
  begin(watch);
  expect(watch.message(summary, false)).toMatchObject(completed);
  expect(watch.end()).toEqual([]);
});
