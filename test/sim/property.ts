/** Any schedule of users, agents, store and faults keeps the invariants. The schedule is one list of numbers. */
import fc from "fast-check";
import { step } from "./actions.ts";
import { type Core, core, type Shell, type Stats, World } from "./world.ts";

export const property = (c: Core = core, st?: Stats, shell?: Shell) =>
  // size "max": fast-check's default arrays are too short for the races of a roll
  fc.property(
    fc.array(fc.nat(65_535), { maxLength: Number(process.env["SIM_LENGTH"] ?? 200), size: "max" }),
    (choices) => {
      const world = new World(c, st, shell);
      for (const n of choices) step(world, n);
      world.rest();
    },
  );
