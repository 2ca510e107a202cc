import { expect, test } from "vitest";
import { Interrupts, type SignalActions } from "./signals.ts";

function actions(isRunning: boolean): { readonly done: string[]; readonly actions: SignalActions } {
  const done: string[] = [];
  return {
    done,
    actions: {
      async stop() {
        done.push("stop");
        return isRunning;
      },
      leave: (exitCode) => done.push(`leave ${exitCode}`),
    },
  };
}

test("the first stops, the second leaves", async () => {
  const { done, actions: given } = actions(true);
  const interrupts = new Interrupts(given, 0);
  interrupts.hear(1_000);
  await Promise.resolve();
  interrupts.hear(1_001);
  expect(done).toEqual(["stop", "leave 130"]);
});

test("with nothing to stop the first leaves", async () => {
  const { done, actions: given } = actions(false);
  new Interrupts(given, 0).hear(1_000);
  await Promise.resolve();
  await Promise.resolve();
  expect(done).toEqual(["stop", "leave 130"]);
});

test("signals of one key are one", async () => {
  const { done, actions: given } = actions(true);
  const interrupts = new Interrupts(given, 250);
  for (const now of [1_000, 1_003, 1_249]) interrupts.hear(now);
  expect(done).toEqual(["stop"]);
  interrupts.hear(1_250);
  expect(done).toEqual(["stop", "leave 130"]);
});
