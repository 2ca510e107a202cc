/** A turn that was stopped while it waited for a person leaves its call in the agent: nobody hears of it again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Desk, Link } from "./desk.ts";
import { oneDesk, realTest as test } from "./real-test.ts";

const place = oneDesk();
const asking = { decide: async () => "ask" as const };

/** Resolves with how many requests the model had until then. */
async function stoppedWhileWaiting(desk: Desk, link: Link): Promise<number> {
  const { turnId } = await link.send("#bash touch never\n#say never said");
  await link.next("tool-approval-request", link.events.length);
  await link.connection.abortTurn(turnId);
  expect(await link.end(turnId)).toMatchObject({ outcome: "stopped" });
  return desk.modelRequests;
}
async function mustGoOn(desk: Desk, link: Link, requests: number): Promise<void> {
  const asked = desk.calls.length;
  const from = link.events.length;
  const { turnId } = await link.send("#say clean again");
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed" });
  expect(link.said(turnId)).toBe("clean again");
  expect(desk.modelRequests).toBe(requests + 1);
  const heard = link.events.slice(from).map(({ type }) => type);
  for (const type of ["autonomous-turn-state", "tool-approval-request", "background-flow-chunk"])
    expect(heard).not.toContain(type);
  expect(desk.calls.length).toBe(asked);
  expect(existsSync(join(desk.workspace, "never"))).toBe(false);
}

test("the next turn of the connection costs one request of the model", async () => {
  const { desk } = place;
  const link = await desk.connect(asking);
  await mustGoOn(desk, link, await stoppedWhileWaiting(desk, link));
});

test.each(["at once", "when the agent took up the call"])(
  "so does the first turn of the next connection, sent %s",
  async (when) => {
    const { desk } = place;
    const before = await desk.connect(asking);
    const requests = await stoppedWhileWaiting(desk, before);
    await before.connection.close("idle");
    const after = await desk.connect({ ...asking, resumeToken: before.token });
    if (when !== "at once") await after.next("resume-token");
    await mustGoOn(desk, after, requests);
    expect(after.all("tool-approval-request")).toEqual([]);
    await after.connection.close("idle");
  },
);
