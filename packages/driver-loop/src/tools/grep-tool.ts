/** `grep`: lines that match a JavaScript regular expression. */
import { realpath } from "node:fs/promises";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { runSearch, shownHits } from "./run-search.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

export const grepTool = defineTool({
  name: "grep",
  category: "read",
  description:
    "Finds lines in files of the workspace by a JavaScript regular expression. Binary files, .git and node_modules " +
    `are skipped. Returns at most ${limits.searchHits} hits as path:line: text.`,
  inputSchema: z.object({
    pattern: z.string().min(1).describe("The regular expression, without slashes."),
    path: z.string().min(1).optional().describe("The directory or file to search; the workspace when absent."),
    glob: z.string().min(1).optional().describe("Only files whose path matches, for example *.ts or src/**/*.ts."),
    ignoreCase: z.boolean().optional(),
  }),
  async paths({ path = "." }, place) {
    return [await containedPath(place, path, "read")];
  },
  async run({ pattern, path = ".", glob, ignoreCase = false }, context) {
    const flags = ignoreCase ? "i" : "";
    checkPattern(pattern, flags);
    const root = await containedPath(context, path, "read")
      .then((found) => realpath(found))
      .catch((cause: unknown) => {
        throw fileFailure(path, cause);
      });
    const base = await realpath(context.workspace);
    const request = { kind: "grep", root, base, pattern, flags, glob: glob ?? null } as const;
    return shownHits(await runSearch(request, context.clock, context.signal), "[no line matches]");
  },
});

function checkPattern(pattern: string, flags: string): void {
  try {
    new RegExp(pattern, flags);
  } catch (cause) {
    throw new ToolFailure(`The pattern is not valid: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}
