/**
 * The original's shipped example of the session runtime runs here with its import line and four more lines changed. It is
 * read from the installed package and run as a program, there as it is and here as changed.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect } from "vitest";
import { realTest } from "../claude-code/real-test.ts";
import { piFolder } from "./pi-package.ts";

const example = join(piFolder, "pi-coding-agent/examples/sdk/13-session-runtime.ts");
const root = join(import.meta.dirname, "../../..");
/** Line, what it becomes, and why. */
const changes = [
  ['} from "@earendil-works/pi-coding-agent";', '} from "@mooring/host/runtime";', "the import"],
  ["", 'import { host } from "./host.ts";', "drivers and store are the program's choice, made once"],
  ["createAgentSessionServices({ cwd })", "createAgentSessionServices({ cwd, host })", "services are of that host"],
  ["agentDir: getAgentDir(),", "host, agentDir: getAgentDir(),", "so is the runtime"],
  ["await runtime.dispose();", "await runtime.dispose().then(() => host.shutdown());", "the store is closed, last"],
] as const;

let place = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "mooring-example-"));
  await writeFile(join(place, "package.json"), '{"type":"module"}');
});
afterEach(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));

/** The lines it prints, each session named by the order in which it came. */
async function run(text: string, modules: string): Promise<readonly string[]> {
  await symlink(modules, join(place, "node_modules"));
  await writeFile(join(place, "example.ts"), text);
  const env = { PATH: "/usr/bin:/bin", HOME: place, PI_OFFLINE: "1" };
  const options = { cwd: place, env, timeout: 50_000 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=mooring-source", "example.ts"],
    options,
  );
  const names: string[] = [];
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) =>
      line.replace(/(?<=: ).+/, (name) => {
        if (!names.includes(name)) names.push(name);
        return String(names.indexOf(name));
      }),
    );
}
const printed = ["Initial session: 0", "After newSession(): 1", "After switchSession(): 0"];

realTest("as it is, there", async () => {
  expect(await run(await readFile(example, "utf8"), join(piFolder, ".."))).toEqual(printed);
});

realTest("with its import line and four more lines changed, here: it prints the same", async () => {
  const lines = (await readFile(example, "utf8")).split("\n");
  const importEnd = lines.indexOf(changes[0][0]);
  const changed = lines.map((line, index) => {
    if (index === importEnd + 1) return changes[1][1]; // an empty line
    const change = changes.find(([was]) => was !== "" && line.includes(was));
    return change ? line.replace(change[0], change[1]) : line;
  });
  expect(changed.length).toBe(lines.length);
  expect(changed.filter((line, index) => line !== lines[index]).length).toBe(1 + 4);
  expect(lines[importEnd + 1]).toBe("");
  await copyFile(join(import.meta.dirname, "example-host.ts"), join(place, "host.ts"));
  expect(await run(changed.join("\n"), join(root, "node_modules"))).toEqual(printed);
});
