/** Every line of `mooring run --json` is an event as the HTTP API describes it, with and without a server. */
import { expect, test } from "vitest";
import { jsonLines } from "../../packages/cli/src/testing/json-lines.ts";
import { sandbox } from "../../packages/cli/src/testing/sandbox.ts";
import { sessionEvent, snapshot } from "../../packages/host/src/http/schemas/events.ts";

const prompt = "#think hm\n#bash echo out\n#read none\n#say done";

test.each([
  ["in its own process", false],
  ["through a server", true],
])("%s", async (_, isServed) => {
  const { run, serve } = await sandbox();
  if (isServed) await serve();
  const { out, err, code } = await run(["run", "--agent", "demo", "--mode", "bypassPermissions", "--json", prompt]);
  expect([err, code]).toEqual(["", 0]);
  const [first, ...events] = jsonLines(out);
  expect(snapshot.safeParse(first).error).toBeUndefined();
  for (const event of events) expect(sessionEvent.safeParse(event).error, JSON.stringify(event)).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "turn.settled", outcome: "completed" });
  expect(events.filter(({ type }) => type === "turn.settled").length).toBe(1);
  expect(sessionEvent.safeParse({ ...events[0], type: "no-such-event" }).success).toBe(false);
});
