/** `ls`: the entries of one directory. */
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { fileFailure } from "./tool-failure.ts";

export const lsTool = defineTool({
  name: "ls",
  category: "read",
  description:
    "Lists a directory of the workspace, hidden entries included, sorted by name. " +
    "Directories end in /, symbolic links in @.",
  inputSchema: z.object({
    path: z.string().min(1).optional().describe("The directory; the workspace when absent."),
  }),
  async paths({ path = "." }, place) {
    return [await containedPath(place, path, "read")];
  },
  async run({ path = "." }, context) {
    const directory = await containedPath(context, path, "read");
    const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
      throw fileFailure(path, cause);
    });
    if (entries.length === 0) return `[${path} is empty]`;
    const names = entries.map(
      (entry) => `${entry.name}${entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : ""}`,
    );
    const shown = names.sort().slice(0, limits.listEntries);
    const rest = names.length - shown.length;
    return [...shown, ...(rest > 0 ? [`[${rest} more entries]`] : [])].join("\n");
  },
});
