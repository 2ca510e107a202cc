import { expect, test } from "vitest";
import { pathOf, type View, viewOf } from "./router.ts";

test.each<View>([
  { name: "home" },
  { name: "approvals" },
  { name: "agents" },
  { name: "usage" },
  { name: "session", id: "ses_1" },
  { name: "session", id: "my own/id" },
])("%o has an address that names it", (view) => {
  expect(viewOf(pathOf(view))).toEqual(view);
});
test("an address of nothing is home", () => {
  expect(["/nothing", "/sessions", "//"].map(viewOf)).toEqual([{ name: "home" }, { name: "home" }, { name: "home" }]);
});
