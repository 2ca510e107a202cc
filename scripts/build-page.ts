/** Builds the web page when it is older than its sources, or not there. */
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root, vite } from "./workspace.ts";

const directory = join(root, "packages", "web");
const sources = ["packages/web/{src,public}/**/*", "packages/web/*.*", "packages/client/src/**/*.ts"];

const changedAt = (path: string): number => statSync(path).mtimeMs;
const isFresh = (): boolean => {
  const built = join(directory, "dist", "index.html");
  if (!existsSync(built)) return false;
  const at = changedAt(built);
  return sources.every((pattern) =>
    globSync(pattern, { cwd: root }).every((name) => changedAt(join(root, name)) <= at),
  );
};

/** False: the build failed, and has said why. */
export async function buildPage(say: (line: string) => void): Promise<boolean> {
  if (isFresh()) return true;
  say("The web page is older than its sources: building it…");
  const from = performance.now();
  const built = await vite(directory);
  say(built ? `Built in ${((performance.now() - from) / 1_000).toFixed(1)} s.` : "The web page could not be built.");
  return built;
}
