/** An edit and a regenerate in a real host: the agent's own conversation goes on from the earlier place. */
import { afterAll, beforeAll, expect } from "vitest";
import { realTest as test } from "./real-test.ts";
import { Sitting } from "./sitting.ts";

let sitting: Sitting;
beforeAll(async () => {
  sitting = await Sitting.open();
});
afterAll(() => sitting.dispose());

/** The ids of the user messages on the branch shown, oldest first. */
async function asked(): Promise<string[]> {
  const { messages } = await sitting.host.messages(sitting.id);
  return messages.flatMap(({ id, role }) => (role === "user" ? [id] : []));
}
async function from(branch: { readonly messageId: string; readonly position: "before" | "at" }, text?: string) {
  const nth = sitting.reader.of("turn.settled").length + 1;
  await sitting.host.submit(sitting.id, { branch, ...(text === undefined ? {} : { text }) });
  return sitting.reader.until("turn.settled", nth);
}
const markers = (): string[] =>
  ["one", "two", "three", "four"].filter((word) => sitting.lastRequest.includes(`marker-${word}`));

test("an edited message is answered without what it replaced, also by the next process", async () => {
  await sitting.turn("#say marker-one");
  await sitting.turn("#say marker-two");
  const [, second = ""] = await asked();
  expect(await from({ messageId: second, position: "before" }, "#say marker-three")).toMatchObject({
    outcome: "completed",
  });
  expect(markers()).toEqual(["one", "three"]);
  await sitting.host.close(sitting.id);
  expect(await sitting.turn("#say marker-four")).toMatchObject({ outcome: "completed" });
  expect(markers()).toEqual(["one", "three", "four"]);
  expect(await asked()).toHaveLength(3);
});

test("a message is answered again, once, and without what came after it", async () => {
  const [, second = ""] = await asked();
  expect(await from({ messageId: second, position: "at" })).toMatchObject({ outcome: "completed" });
  expect(markers()).toEqual(["one", "three"]);
  expect(sitting.lastRequest.split("#say marker-three")).toHaveLength(2);
  expect(await asked()).toHaveLength(2);
});

test("before its first message the agent knows nothing", async () => {
  const [first = ""] = await asked();
  expect(await from({ messageId: first, position: "before" }, "#say marker-two")).toMatchObject({
    outcome: "completed",
  });
  expect(markers()).toEqual(["two"]);
});
