import { expect, test } from "vitest";
import { StoreRefused } from "../../protocol/errors.ts";
import { asRefused } from "./failure.ts";

const sqlite = (errcode: number): Error => Object.assign(new RangeError("said SQLite"), { errcode });

test.each([
  [5, "busy"], // BUSY
  [517, "busy"], // BUSY_SNAPSHOT
  [6, "busy"], // LOCKED
  [10, "io"], // IOERR
  [1034, "io"], // IOERR_FSYNC
  [13, "full"],
  [11, "corrupt"],
  [267, "corrupt"], // CORRUPT_VTAB
  [26, "corrupt"], // NOTADB
  [2067, "constraint"], // CONSTRAINT_UNIQUE
  [3091, "constraint"], // CONSTRAINT_DATATYPE
  [14, "io"], // CANTOPEN
])("SQLite's %i is %s", (errcode, code) => {
  expect(asRefused(sqlite(errcode))).toMatchObject({ code, message: "SQLite: said SQLite" });
});

test("what is refused already stays as it is, and what nobody knows is the disk's fault", () => {
  const refused = new StoreRefused("lease-lost", "gone");
  expect(asRefused(refused)).toBe(refused);
  expect(asRefused(new TypeError("odd"))).toMatchObject({ code: "io", message: "odd" });
});
