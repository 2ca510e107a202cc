import { expect, test } from "vitest";
import { type Start, startedAs } from "./started-as.ts";

const start = (over: Partial<Start>): Start => ({
  env: { PATH: "/usr/bin:/usr/local/bin" },
  cwd: "/home/me",
  script: "/usr/local/bin/mooring",
  execPath: "/usr/bin/node",
  execArgv: [],
  ...over,
});

test.each([
  ["installed, on the path", {}, "mooring"],
  ["installed elsewhere", { script: "/opt/tools/mooring" }, "/opt/tools/mooring"],
  ["below the directory", { script: "/home/me/bin/mooring" }, "./bin/mooring"],
  ["in the repository", { env: { npm_lifecycle_event: "start", npm_command: "run-script" } }, "npm start --"],
  ["npx of a dependency", { env: { npm_command: "exec" }, script: "/w/node_modules/.bin/mooring" }, "npx mooring"],
  [
    "npx without one",
    { env: { npm_command: "exec" }, script: "/c/_npx/1/node_modules/.bin/mooring" },
    "npx @mooring/cli",
  ],
  ["a script of npm", { env: { npm_lifecycle_event: "dev" }, script: "/w/node_modules/.bin/mooring" }, "npx mooring"],
  ["node and the built file", { script: "/w/cli/dist/main.js" }, "node /w/cli/dist/main.js"],
  [
    "node with flags, not on the path, and a place with a space",
    { script: "/home/me/my work/main.ts", execPath: "/opt/node24/bin/node", execArgv: ["--conditions=mooring-source"] },
    "/opt/node24/bin/node --conditions=mooring-source './my work/main.ts'",
  ],
] as const)("%s", (_, over, expected) => expect(startedAs(start(over))).toBe(expected));
