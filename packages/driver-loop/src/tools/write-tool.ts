/** `write`: a whole file, its directories made as needed. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { checkRegular } from "./regular-file.ts";
import { fileFailure } from "./tool-failure.ts";

export const writeTool = defineTool({
  name: "write",
  category: "write",
  description: "Writes a file of the workspace, replacing what it held. Missing directories are made.",
  inputSchema: z.object({
    path: z.string().min(1).describe("The file, relative to the workspace or absolute."),
    content: z.string().describe("The whole content."),
  }),
  async paths({ path }, place) {
    return [await containedPath(place, path, "write")];
  },
  async run({ path, content }, context) {
    const file = await containedPath(context, path, "write");
    await checkRegular(file, path);
    context.signal.throwIfAborted();
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    } catch (cause) {
      throw fileFailure(path, cause);
    }
    return `Wrote ${Buffer.byteLength(content)} bytes to ${path}.`;
  },
});
