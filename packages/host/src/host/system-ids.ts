/** Ids of the real world: time-ordered, so that an index on them stays append-only; unique without coordination. */
import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Ids } from "../ports/ids.ts";

export const systemIds: Ids = {
  make: (kind) => `${kind}_${uuidv7()}`,
  uuid: () => randomUUID(),
};
