/** `edit`: replaces one exact, unique piece of a file. The file is untouched unless the piece occurs exactly once. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { checkRegular } from "./regular-file.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

export const editTool = defineTool({
  name: "edit",
  category: "write",
  description:
    "Replaces a piece of a file of the workspace. oldText must match exactly, white space included, and occur once; " +
    "set replaceAll to replace every occurrence.",
  inputSchema: z.object({
    path: z.string().min(1).describe("The file, relative to the workspace or absolute."),
    oldText: z.string().min(1).describe("The text to replace, exactly as it is in the file."),
    newText: z.string().describe("The text to put in its place."),
    replaceAll: z.boolean().optional(),
  }),
  async paths({ path }, place) {
    return [await containedPath(place, path, "write")];
  },
  async run({ path, oldText, newText, replaceAll = false }, context) {
    const file = await containedPath(context, path, "write");
    await checkRegular(file, path);
    context.signal.throwIfAborted();
    try {
      const before = await readText(file, path);
      const pieces = before.split(oldText);
      checkCount(path, pieces.length - 1, oldText === newText, replaceAll);
      await writeFile(file, pieces.join(newText));
      return `Replaced ${pieces.length - 1} occurrence${pieces.length === 2 ? "" : "s"} in ${path}.`;
    } catch (cause) {
      throw fileFailure(path, cause);
    }
  },
});

async function readText(file: string, path: string): Promise<string> {
  const { size } = await stat(file);
  if (size > limits.editBytes) throw new ToolFailure(`${path} is larger than ${limits.editBytes} bytes: use bash.`);
  const bytes = await readFile(file);
  if (bytes.includes(0)) throw new ToolFailure(`${path} is a binary file.`);
  const text = bytes.toString("utf8");
  // Writing it back would change bytes that were never asked about.
  if (!Buffer.from(text).equals(bytes)) throw new ToolFailure(`${path} is not valid UTF-8: use bash.`);
  return text;
}

function checkCount(path: string, count: number, isSame: boolean, replaceAll: boolean): void {
  if (isSame) throw new ToolFailure("oldText and newText are the same.");
  if (count === 0) throw new ToolFailure(`oldText does not occur in ${path}: read the file and copy it exactly.`);
  if (count > 1 && !replaceAll) {
    throw new ToolFailure(`oldText occurs ${count} times in ${path}: add lines around it, or set replaceAll.`);
  }
}
