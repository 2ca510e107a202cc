/** Builds every package into its `dist`, with declarations, in the order of their dependencies. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { packagesInOrder, run } from "./workspace.ts";

for (const { folder, directory } of packagesInOrder()) {
  rmSync(join(directory, "dist"), { recursive: true, force: true });
  if (!(await run("tsc", ["-p", join(directory, "tsconfig.build.json")]))) {
    console.error(`build of packages/${folder} failed`);
    process.exit(1);
  }
}
