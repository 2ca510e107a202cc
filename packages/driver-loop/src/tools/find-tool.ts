/** `find`: files whose path matches a glob. */
import { realpath } from "node:fs/promises";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { runSearch, shownHits } from "./run-search.ts";
import { fileFailure } from "./tool-failure.ts";

export const findTool = defineTool({
  name: "find",
  category: "read",
  description:
    "Finds files of the workspace by a glob, for example *.ts (any directory) or src/**/*.test.ts. .git and " +
    `node_modules are skipped. Returns at most ${limits.searchHits} paths.`,
  inputSchema: z.object({
    pattern: z.string().min(1).describe("The glob."),
    path: z.string().min(1).optional().describe("The directory to search; the workspace when absent."),
  }),
  async paths({ path = "." }, place) {
    return [await containedPath(place, path, "read")];
  },
  async run({ pattern, path = "." }, context) {
    const root = await containedPath(context, path, "read")
      .then((found) => realpath(found))
      .catch((cause: unknown) => {
        throw fileFailure(path, cause);
      });
    const base = await realpath(context.workspace);
    const request = { kind: "find", root, base, glob: pattern } as const;
    return shownHits(await runSearch(request, context.clock, context.signal), "[no file matches]");
  },
});
