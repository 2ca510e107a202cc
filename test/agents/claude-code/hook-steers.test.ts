/** The real binary as one that tells no receipts of messages: its words about them never reach the driver. */
import { type Fault, passLine, WireTap } from "@mooring/host/testing";
import { expect } from "vitest";
import { oneProcess, realTest as test } from "./real-test.ts";

const at = oneProcess({}, (desk) => {
  const tap = new WireTap();
  tap.arm(withoutReceipts);
  desk.tamper = (child) => tap.wrap(child);
});
const withoutReceipts: Fault = (line, wire, nth) => {
  const text = line.toString();
  if (text.includes('"type":"command_lifecycle"')) return;
  passLine(Buffer.from(text.replaceAll("msg_lifecycle_v1", "other_v1")), wire, nth);
};

test("a steer is told with the result of the tool at work, and is a boundary of its turn", async () => {
  const { desk, link } = at;
  const gate = desk.pipe("gate");
  const { turnId, inputId } = await link.send("#bash cat gate\n#say done");
  await link.chunk("tool-input-available");
  expect(link.connection.capabilities).toMatchObject({ steer: "hook", steerStartsOwnTurn: false });
  const steer = await link.steer(turnId, "marker-steer");
  expect(steer.answer).toBe("offered");
  await gate.write();
  expect(await link.end(turnId)).toMatchObject({ outcome: "completed", answered: [inputId] });
  expect(desk.lastRequest).toContain("marker-steer");
  expect(link.all("steer-boundary")).toEqual([{ type: "steer-boundary", turnId, taken: [steer.inputId] }]);
  const order = link.events.flatMap((event) =>
    event.type === "chunk" && event.chunk.type === "tool-output-available"
      ? ["output"]
      : event.type === "steer-boundary"
        ? ["boundary"]
        : [],
  );
  expect(order).toEqual(["output", "boundary"]);
});

test("one that no tool follows is told as undelivered before the end; one that is taken back is never told", async () => {
  const { desk, link } = at;
  const from = link.events.length;
  const { turnId } = await link.send("#slow 100 some words that come slowly");
  await link.chunk("text-delta", from);
  const [late, back] = [await link.steer(turnId, "marker-late"), await link.steer(turnId, "marker-back")];
  expect(await link.connection.withdraw?.(back.inputId)).toBe(true);
  await link.end(turnId);
  const heard = link.events.slice(from).filter(({ type }) => type === "steer-undelivered" || type === "turn-complete");
  expect(heard).toMatchObject([{ inputs: [late.inputId] }, { outcome: "completed" }]);
  expect(await link.turn("#say and on")).toMatchObject({ outcome: "completed" });
  expect(desk.lastRequest).not.toMatch(/marker-late|marker-back/);
});

test("a turn is stopped right behind its send", async () => {
  const { link } = at;
  const { turnId } = await link.send("#slow 300 one two three four five");
  expect(await link.connection.abortTurn(turnId)).toBe("aborted");
  expect(await link.end(turnId)).toMatchObject({ outcome: "stopped" });
  expect(await link.turn("#say still here")).toMatchObject({ outcome: "completed" });
});
