import { expect, test } from "vitest";
import { childEnvironment, homeOf } from "./agent-home.ts";

test("a child gets the listed variables and its own home, nothing else", () => {
  const host = { PATH: "/bin", LANG: "C", TERM: "dumb", TMPDIR: undefined, HOME: "/root", ANTHROPIC_API_KEY: "secret" };
  const home = homeOf("/data", "agt_1");
  expect(home).toBe("/data/homes/agt_1");
  expect(childEnvironment(host, home)).toEqual({ PATH: "/bin", LANG: "C", TERM: "dumb", HOME: home });
});
