import { scriptedModel } from "@mooring/scripted-model";
import { expect, test } from "vitest";
import { openHost } from "../testing/open-host.ts";
import { heldPolicy } from "../testing/test-host.ts";

test("a steer is taken at the next step, right before its first chunk", async () => {
  const model = scriptedModel();
  const { decide, release } = heldPolicy();
  const host = await openHost({ models: { scripted: () => model }, decide });
  await host.send("#bash true\n#say ok");
  await host.chunk("tool-input-available");
  expect(await host.steer("mind the gap", "inp_2")).toBe("offered");
  release();
  expect(await host.end()).toMatchObject({ outcome: "completed", answered: ["inp_trn_1"] });
  const at = host.events.findIndex(({ type }) => type === "steer-boundary");
  expect(host.events[at]).toEqual({ type: "steer-boundary", turnId: "trn_1", taken: ["inp_2"] });
  expect(host.events[at - 1]).toMatchObject({ chunk: { type: "finish-step" } });
  expect(host.events[at + 1]).toMatchObject({ chunk: { type: "start-step" } });
  expect(host.said).toBe("ok (noted: mind the gap)");
  expect(host.entries.map((entry) => entry.kind === "message" && entry.message.role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
});

test("steers of one step are taken together, in order", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("first", "inp_2");
  await host.steer("second", "inp_3");
  release();
  await host.end();
  expect(host.all("steer-boundary")).toMatchObject([{ taken: ["inp_2", "inp_3"] }]);
  expect(host.said).toBe("ok (noted: first) (noted: second)");
});

test("a steer that comes during the last answer begins another step of the turn", async () => {
  const host = await openHost();
  await host.send("#slow 20 a few slow words to wait for");
  await host.chunk("text-delta");
  expect(await host.steer("#say one more thing", "inp_2")).toBe("offered");
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  expect(host.all("steer-boundary")).toMatchObject([{ taken: ["inp_2"] }]);
  expect(host.said).toContain("one more thing");
});

test("a withdrawn steer never reaches the model", async () => {
  const model = scriptedModel();
  const { decide, release } = heldPolicy();
  const host = await openHost({ models: { scripted: () => model }, decide });
  await host.send("#bash true\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("never mind", "inp_2");
  expect(await host.connection.withdraw?.("inp_2")).toBe(true);
  expect(await host.connection.withdraw?.("inp_2")).toBe(false);
  release();
  await host.end();
  expect(host.all("steer-boundary")).toEqual([]);
  expect(host.all("steer-undelivered")).toEqual([]);
  expect(JSON.stringify(model.requests)).not.toContain("never mind");
});

test("a steer that was taken cannot be withdrawn", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#bash true\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("keep this", "inp_2");
  release();
  await host.next("steer-boundary");
  expect(await host.connection.withdraw?.("inp_2")).toBe(false);
  await host.end();
});

test("a steer for a turn that is over, or for another one, is refused", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#say ok");
  expect(await host.steer("for another", "inp_2", "trn_9")).toBe("refused");
  release();
  await host.end();
  expect(await host.steer("too late", "inp_3")).toBe("refused");
});

test("a steer is returned as undelivered when the turn is stopped before its step", async () => {
  const host = await openHost();
  await host.send("#bash sleep 30\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("first", "inp_2");
  await host.steer("second", "inp_3");
  await host.connection.abortTurn("trn_1");
  expect(await host.end()).toMatchObject({ outcome: "stopped" });
  expect(host.all("steer-undelivered")).toEqual([
    { type: "steer-undelivered", turnId: "trn_1", inputs: ["inp_2", "inp_3"] },
  ]);
  expect(host.events.at(-2)).toMatchObject({ type: "steer-undelivered" });
});

test("a steer whose request fails without any output is undelivered", async () => {
  const { decide, release } = heldPolicy();
  const host = await openHost({ decide });
  await host.send("#bash true\n#status 400 bad request\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("lost?", "inp_2");
  release();
  expect(await host.end()).toMatchObject({ type: "error" });
  expect(host.all("steer-boundary")).toEqual([]);
  expect(host.all("steer-undelivered")).toMatchObject([{ inputs: ["inp_2"] }]);
});

test("close returns the steers that were never taken", async () => {
  const host = await openHost();
  await host.send("#bash sleep 30\n#say ok");
  await host.chunk("tool-input-available");
  await host.steer("pending", "inp_2");
  expect(await host.connection.close("rebuild")).toEqual({ returned: ["inp_2"] });
  expect(await host.connection.close("rebuild")).toEqual({ returned: ["inp_2"] });
  expect(host.all("steer-undelivered")).toEqual([]);
});

test("a steer with an image reaches the model as one", async () => {
  const model = scriptedModel();
  const { decide, release } = heldPolicy();
  const host = await openHost({ models: { scripted: () => model }, decide });
  await host.send("#bash true\n#say ok");
  await host.chunk("tool-input-available");
  const url = "data:image/png;base64,iVBORw0KGgo=";
  const parts = [{ type: "file", mediaType: "image/png", url }] as const;
  await host.connection.redirect?.({
    turnId: "trn_1",
    inputId: "inp_2",
    agentKey: "key",
    parts,
    arrivedMidTurn: true,
    headless: false,
  });
  release();
  await host.end();
  expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ role: "user", files: ["image/png"] });
});

test("one at a time, each steer waits for the answer to the one before, and the mode may change meanwhile", async () => {
  const { decide, release } = heldPolicy();
  let mode: "all" | "one-at-a-time" = "one-at-a-time";
  const host = await openHost({ decide, steeringMode: () => mode });
  await host.send("#bash true\n#slow 20 a few slow words");
  await host.chunk("tool-input-available");
  for (const [at, text] of ["first", "second", "third", "fourth"].entries()) await host.steer(text, `inp_${at + 2}`);
  release();
  await host.next("steer-boundary", 2);
  mode = "all";
  expect(await host.end()).toMatchObject({ outcome: "completed" });
  const taken = host.all("steer-boundary").map((event) => event.taken);
  expect(taken).toEqual([["inp_2"], ["inp_3"], ["inp_4", "inp_5"]]);
});
