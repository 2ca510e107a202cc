/** Text the agent is given with its instructions: context files and skills, named by the program or in the agent directory. */
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { MooringError, messageOf } from "../../index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { runtimeLimits } from "../limits.ts";
import { isMissing } from "./read-json.ts";

export type ContextFile = { readonly path: string; readonly content: string };
/** `path` null: given in memory. */
export type Skill = { readonly name: string; readonly description: string; readonly path: string | null };
/** A skill in memory, or the absolute path of its directory or `SKILL.md`. */
export type SkillSource = string | { readonly name: string; readonly description: string; readonly content: string };

/** Null: not there. Throws what is wrong with it. */
async function textOf(path: string): Promise<string | null> {
  if (!isAbsolute(path)) throw new MooringError("bad-path", `${path} is relative. Give an absolute path.`);
  try {
    const { size } = await stat(path);
    if (size <= runtimeLimits.contextFileBytes) return await readFile(path, "utf8");
    throw new MooringError("file-too-large", `${path} has more than ${runtimeLimits.contextFileBytes} bytes.`);
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}
/** What cannot be read is a warning. `optional`: what is not there is none. */
export async function contextFile(
  path: string,
  diagnostics: Diagnostics,
  optional: "optional" | "named",
): Promise<readonly ContextFile[]> {
  try {
    const content = await textOf(path);
    if (content !== null) return [{ path, content }];
    if (optional === "named") diagnostics.add("warning", `There is no context file ${path}.`);
  } catch (cause) {
    diagnostics.add("warning", `The context file ${path} was left out: ${messageOf(cause)}`);
  }
  return [];
}

type LoadedSkill = Skill & { readonly content: string };
/** One that cannot be read is a warning. */
export async function loadSkill(source: SkillSource, diagnostics: Diagnostics): Promise<readonly LoadedSkill[]> {
  if (typeof source !== "string") return [{ ...source, path: null }];
  try {
    const path = source.endsWith(".md") ? source : join(source, "SKILL.md");
    const content = await textOf(path);
    if (content !== null) return [{ ...frontMatter(content, path), path, content }];
    diagnostics.add("warning", `There is no skill at ${path}.`);
  } catch (cause) {
    diagnostics.add("warning", `The skill ${source} was left out: ${messageOf(cause)}`);
  }
  return [];
}
function frontMatter(content: string, path: string): Pick<Skill, "name" | "description"> {
  const [, head = ""] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(content) ?? [];
  const field = (name: string): string | undefined => new RegExp(`^${name}:\\s*(.+)$`, "m").exec(head)?.[1]?.trim();
  return { name: field("name") ?? path.split("/").at(-2) ?? path, description: field("description") ?? "" };
}
/** One with a path is named for the agent to read; one in memory is given whole. */
export const skillText = ({ name, description, path, content }: LoadedSkill): string =>
  path === null ? `# Skill: ${name}\n${description}\n\n${content}` : `# Skill: ${name}\n${description}\nRead ${path}.`;
export type { LoadedSkill };
