import { expect, test } from "vitest";
import { callerDirectory, dataDirOf } from "./data-dir.ts";
import { UsageError } from "./usage-error.ts";

test.each([
  [{ MOORING_HOME: "/own", XDG_DATA_HOME: "/xdg", HOME: "/home/me" }, "/own"],
  [{ MOORING_HOME: "own/data", HOME: "/home/me" }, "/here/own/data"],
  [{ MOORING_HOME: "", XDG_DATA_HOME: "/xdg", HOME: "/home/me" }, "/xdg/mooring"],
  [{ XDG_DATA_HOME: "relative", HOME: "/home/me" }, "/home/me/.local/share/mooring"],
  [{ HOME: "/home/me" }, "/home/me/.local/share/mooring"],
])("data of %j", (env, directory) => expect(dataDirOf(env, "/here")).toBe(directory));

test("without a home there is no place to guess", () => {
  expect(() => dataDirOf({}, "/here")).toThrow(UsageError);
});

test("under npm the person is where npm was called", () => {
  expect(callerDirectory({ npm_lifecycle_event: "start", INIT_CWD: "/there" }, "/repo")).toBe("/there");
  expect(callerDirectory({ INIT_CWD: "/stale" }, "/here")).toBe("/here");
});
