/** The built-in tools, in the order the model sees them. */
import type { ToolInfo } from "@mooring/host/driver";
import { bashTool } from "./bash-tool.ts";
import { editTool } from "./edit-tool.ts";
import { findTool } from "./find-tool.ts";
import { grepTool } from "./grep-tool.ts";
import type { LoopTool } from "./loop-tool.ts";
import { lsTool } from "./ls-tool.ts";
import { readTool } from "./read-tool.ts";
import { writeTool } from "./write-tool.ts";

export const loopTools: readonly LoopTool[] = [readTool, writeTool, editTool, bashTool, lsTool, grepTool, findTool];

export const loopToolInfos: readonly ToolInfo[] = loopTools.map(({ name, description, category }) => ({
  name,
  description,
  category,
}));
