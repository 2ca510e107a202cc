/**
 * What no mode, no rule and no person lifts: the host's and the agent's own data, what git runs by itself, and the end of
 * a disk. About files it is exact; about shell commands best effort, since a command can hide what it does: containment
 * of a shell is the operating system's work, not this list's.
 */
import { dirname, resolve, sep } from "node:path";
import { nameOf, type Reading, readCommand } from "./command-readings.ts";
import { isInside, isMadeByHost } from "./containment.ts";
import type { JudgedCall, Place } from "./subject.ts";

/** The reason; null: it is none of these. */
export function hardDeny(call: JudgedCall, place: Place): string | null {
  for (const { real } of call.paths) {
    const reason = real === null ? null : pathReason(real, call.category, place);
    if (reason !== null) return reason;
  }
  const { command } =
    typeof call.input === "object" && call.input !== null ? (call.input as { command?: unknown }) : {};
  if (call.category !== "shell" || typeof command !== "string") return null;
  return firstReason(readCommand(command), (reading) => commandReason(reading, place));
}
/** A directory from which a search would come to the host's data. */
export const holdsHostData = (call: JudgedCall, { dataDir, workspace }: Place): boolean =>
  call.paths.some(
    ({ real }) => real !== null && real !== dataDir && isInside(dataDir, real) && !isInside(workspace, dataDir),
  );

// --- files --------------------------------------------------------------------------------------------------------

function pathReason(path: string, category: JudgedCall["category"], place: Place): string | null {
  if (isHostData(path, place)) return "the host's own data is not for agents";
  if (category === "read" || category === "network") return null;
  if (isInside(path, place.home)) return "the agent's own data is written by the agent's program only";
  return isGitData(path, place.workspace) ? "what is inside .git is written by git only" : null;
}
/** All the host keeps, but for what it made for this session: no other workspace there is one. */
const isHostData = (path: string, place: Place): boolean =>
  isInside(path, place.dataDir) &&
  !isInside(path, place.home) &&
  !(isMadeByHost(place.workspace, place.dataDir) && isInside(path, place.workspace));
const isGitData = (path: string, workspace: string): boolean => {
  const below = isInside(path, workspace) ? path.slice(workspace.length) : path;
  return below
    .split(sep)
    .some((segment) =>
      /^\.git[\s.\u200b-\u200f\u2060\ufeff]*$/iu.test(segment.replace(/[\u200b-\u200f\u2060\ufeff]/gu, "")),
    );
};

// --- commands -----------------------------------------------------------------------------------------------------

type Found = string | null;
function firstReason<T>(all: readonly T[], reasonOf: (each: T) => Found): Found {
  for (const each of all) {
    const reason = reasonOf(each);
    if (reason !== null) return reason;
  }
  return null;
}
function commandReason(reading: Reading, place: Place): Found {
  return hostDataReason(reading, place) ?? deletionReason(reading, place) ?? diskReason(reading) ?? hookReason(reading);
}
function hostDataReason({ words, writes }: Reading, place: Place): Found {
  const named = [...words, ...words.flatMap((word) => word.split(/[=:,@]/)), ...writes].flatMap((word) =>
    places(word, place),
  );
  return named.some((path) => isHostData(path, place)) ? "the host's own data is not for agents" : null;
}
function deletionReason({ words }: Reading, place: Place): Found {
  const [first = "", ...rest] = words;
  const name = nameOf(first).toLowerCase();
  if (name === "rm" && rest.includes("--no-preserve-root")) return "it would delete a root directory";
  const isTree = name === "rm" && rest.some((word) => /^(?:-[a-z]*r[a-z]*|--recursive)$/i.test(word));
  const isFind = name === "find" && rest.some((word) => word === "-delete" || nameOf(word) === "rm");
  if (!isTree && !isFind) return null;
  const isDire = rest.some(
    (word) => !word.startsWith("-") && places(withoutTail(word), place).some((path) => isRoot(path, place)),
  );
  return isDire ? "it would delete a root, home or system directory, or what the host keeps" : null;
}
/** `/x/*`, `/x/.` and `/x/` are all of `/x`. */
const withoutTail = (word: string): string => word.replace(/(?:\/+(?:\*|\.\*|\.|\{\*,\.\*\})?)+$/, "") || "/";
function isRoot(path: string, { userHome, home, dataDir, workspace }: Place): boolean {
  const isTop = dirname(path) === dirname(dirname(path));
  return (
    isTop ||
    [userHome, home, dataDir].some((kept) => isInside(kept, path)) ||
    (path !== workspace && isInside(workspace, path))
  );
}
const device = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-)/;
function diskReason({ words, writes }: Reading): Found {
  const name = nameOf(words[0] ?? "").toLowerCase();
  const isWriter = ["dd", "shred", "wipefs", "cp", "tee"].includes(name);
  const targets = [...writes, ...(isWriter ? words.map((word) => word.replace(/^of=/, "")) : [])];
  return /^mkfs(?:\.|$)/.test(name) || targets.some((target) => device.test(target))
    ? "it would overwrite a disk"
    : null;
}
const readers = new Set("ls cat head tail less more file stat test [ grep rg wc diff git".split(" "));
const hookPath = /(?:^|\/)\.git\/(?:.*\/)?hooks(?:\/|$)/i;
/** git itself reads them, and sets them by `core.hooksPath`. */
function hookReason({ words, writes }: Reading): Found {
  const changes = !readers.has(nameOf(words[0] ?? ""));
  const isHook = [...writes, ...(changes ? words : [])].some((word) => hookPath.test(word));
  return isHook ? "hooks of git run by themselves, and are not for agents to change" : null;
}

/** Where a word of a command may lead, if it is a path. `~` and `$HOME` are the agent's home there, `~name` is a person's. */
function places(word: string, { workspace, home, userHome }: Place): readonly string[] {
  if (word === "" || word.startsWith("-") || word.length > 4_096) return [];
  const other = /^~[\w.-]+(?=\/|$)/.exec(word)?.[0];
  if (other !== undefined) return [resolve(userHome, `./${word.slice(other.length)}`)];
  const atHome = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(word)?.[0];
  return [atHome === undefined ? resolve(workspace, word) : resolve(home, `./${word.slice(atHome.length)}`)];
}
