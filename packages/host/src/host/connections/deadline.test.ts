import { expect, test } from "vitest";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { silentLog } from "../silent-log.ts";
import { within } from "./deadline.ts";

test("the answer, or the other value when it is late or throws; no timer is left", async () => {
  const clock = new VirtualClock();
  const patience = { clock, log: silentLog, ms: 100, what: "hook", otherwise: "otherwise" };
  expect(await within(patience, async () => "answer")).toBe("answer");
  expect(await within(patience, () => Promise.reject(new TypeError("broken")))).toBe("otherwise");
  const late = within(patience, () => new Promise<string>(() => {}));
  clock.advance(100);
  expect(await late).toBe("otherwise");
  expect(clock.pending()).toEqual([]);
});
