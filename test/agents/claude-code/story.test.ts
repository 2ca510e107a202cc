/**
 * One long session as a person has it, on a real server: steers, an approval, a compaction, work behind a turn; the
 * agent is killed in the middle of a tool, and the server in the middle of another.
 */
import { afterAll, expect } from "vitest";
import { realTest as test } from "./real-test.ts";
import { Story } from "./story.ts";

let story: Story | null = null;
afterAll(() => story?.dispose());

const unknownOutcome = { state: "output-error", errorText: expect.stringMatching(/outcome.*unknown/i) };

test("twenty turns with two kills: nothing is lost, stuck or run twice", async () => {
  story = await Story.open();
  await story.say();
  await story.tool();
  await story.steered(2);
  await story.say();
  await story.asked();
  await story.tool();
  expect(story.told()).toEqual(story.said);
  await story.compacted();
  await story.say();
  await story.behind();
  await story.tool();
  const lostInAgent = await story.killAgent();
  await story.say();
  await story.tool();
  await story.say();
  const lostInHost = await story.killHost();
  await story.say();
  await story.tool();
  await story.asked();
  await story.say();
  await story.tool();
  await story.say();

  expect(await story.unfinished()).toEqual({ messages: [], inputs: [], approvals: [], work: [] });
  expect(story.outcomes).toEqual([
    ...Array.from({ length: 10 }, () => "completed"), // nine that were asked for, and the agent's own
    "failed",
    ...Array.from({ length: 3 }, () => "completed"),
    "interrupted",
    ...Array.from({ length: 6 }, () => "completed"),
  ]);
  expect(await story.stored()).toEqual(story.said);
  expect(story.told()).toEqual(story.said);
  expect(await story.traces()).toEqual(story.tools);
  expect(story.timesCalled()).toEqual(story.tools.map((tool) => [tool, 1]));
  for (const lost of [lostInAgent, lostInHost]) expect(await story.callOf(lost)).toMatchObject(unknownOutcome);
  expect(story.gaps()).toEqual([]);
}, 180_000);
