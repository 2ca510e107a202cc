import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { KnownRecords } from "./known-records.ts";

test("a record is repeated when its kind and id came before, as long as it is remembered", () => {
  const known = new KnownRecords();
  expect(known.isRepeated({ type: "result", uuid: "1" })).toBe(false);
  expect(known.isRepeated({ type: "result", uuid: "1" })).toBe(true);
  expect(known.isRepeated({ type: "user", uuid: "1" })).toBe(false);
  for (let nth = 0; nth < limits.knownRecords; nth++) known.isRepeated({ type: "system", uuid: `${nth}` });
  expect(known.isRepeated({ type: "result", uuid: "1" })).toBe(false);
});

test("pieces of a stream and records without an id are never taken for repeated", () => {
  const known = new KnownRecords();
  const piece = { type: "stream_event", uuid: "1", event: { type: "content_block_delta" } };
  for (const frame of [piece, piece, { type: "system" }, { type: "system" }])
    expect(known.isRepeated(frame)).toBe(false);
});
