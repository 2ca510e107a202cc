/** Tests on the real agent: skipped, and reported so, where it could not be installed. */
import { AssertionError } from "node:assert";
import { afterAll, beforeAll, inject, test } from "vitest";
import type {} from "../install.ts";
import { Desk, type DeskSetup, type Link } from "./desk.ts";

const isInstalled = inject("agentsMissing") === null;
export const realTest = test.skipIf(!isInstalled);

export type Place = { readonly desk: Desk; readonly link: Link };

/** One desk and one process for the tests of a file: a start costs half a second of a core. `prepare`: before it. */
export function oneProcess(setup: DeskSetup = {}, prepare: (desk: Desk) => void = () => {}): Place {
  let made: Place | null = null;
  beforeAll(async () => {
    if (!isInstalled) return;
    const desk = await Desk.make();
    prepare(desk);
    made = { desk, link: await desk.connect(setup) };
  });
  afterAll(() => made?.desk.dispose());
  const ready = (): Place => {
    if (made === null) throw new AssertionError({ message: "The agent is not installed." });
    return made;
  };
  return {
    get desk() {
      return ready().desk;
    },
    get link() {
      return ready().link;
    },
  };
}

/** A desk for tests that open their own processes. */
export function oneDesk(): { readonly desk: Desk } {
  let made: Desk | null = null;
  beforeAll(async () => {
    if (isInstalled) made = await Desk.make();
  });
  afterAll(() => made?.dispose());
  return {
    get desk() {
      if (made === null) throw new AssertionError({ message: "The agent is not installed." });
      return made;
    },
  };
}
