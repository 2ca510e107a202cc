/** Builds every package into its `dist`, with declarations, in the order of their dependencies. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packagesInOrder, run, vite } from "./workspace.ts";

for (const { folder, directory } of packagesInOrder()) {
  rmSync(join(directory, "dist"), { recursive: true, force: true });
  const built = existsSync(join(directory, "vite.config.ts"))
    ? await vite(directory)
    : await run("tsc", ["-p", join(directory, "tsconfig.build.json")]);
  if (!built) {
    console.error(`build of packages/${folder} failed`);
    process.exit(1);
  }
}
