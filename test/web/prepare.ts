/**
 * What the page's tests need beside the repository: a Chromium, and the page built from its sources as they are. The
 * first is looked for, and installed where that can be done; without it the tests are skipped, with the command.
 */
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { buildPage } from "../../scripts/build-page.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Null: there is none. */
    readonly chromium: string | null;
  }
}
const run = promisify(execFile);
const command = "apt-get update && apt-get install -y chromium";
const places = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export default async function prepare(project: TestProject): Promise<void> {
  project.provide("chromium", found() ?? (await installed()));
  await buildPage((line) => console.log(line));
}
function found(): string | null {
  return places.find((place) => place !== undefined && isThere(place)) ?? null;
}
function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
/** As root on Debian only: nobody else's machine is changed. */
async function installed(): Promise<string | null> {
  if (process.getuid?.() === 0 && isThere("/usr/bin/apt-get")) {
    console.log("Installing Chromium for the page's tests, once (about 100 MB)…");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("sh", ["-c", command], { env, maxBuffer: 2 ** 26 }).catch((cause: unknown) => console.error(cause));
  }
  const browser = found();
  if (browser === null && process.env["MOORING_BROWSER"] === "required") throw new TypeError(`No Chromium: ${command}`);
  if (browser === null)
    console.log(`No Chromium: the page's tests are skipped. For them: ${command} (or set CHROMIUM)`);
  return browser;
}
