/**
 * The work of one search, without a thread: walks the files below a directory and collects hits. Runs in
 * `search-worker.ts`, where a bad pattern can be cut short. Invariants: symbolic links are not followed; the walk and
 * the result are bounded; hits come in the order of the paths.
 */
import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import picomatch from "picomatch";
import { limits } from "../limits.ts";

export type SearchRequest = {
  /** A real directory, or for `grep` also a file. */
  readonly root: string;
  /** Paths in hits are relative to this. */
  readonly base: string;
} & (
  | { readonly kind: "find"; readonly glob: string }
  | { readonly kind: "grep"; readonly pattern: string; readonly flags: string; readonly glob: string | null }
);
export type SearchResult = {
  readonly hits: readonly string[];
  /** Why it is not everything; null when it is. */
  readonly cut: string | null;
};

const skippedDirectories: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Throws when the pattern or glob is not valid. */
export function search(request: SearchRequest): SearchResult {
  const hits: string[] = [];
  const hitsOf = request.kind === "find" ? finder(request) : grepper(request);
  let seen = 0;
  for (const path of filesBelow(request.root)) {
    if (++seen > limits.searchEntries)
      return { hits, cut: `only the first ${limits.searchEntries} entries were searched` };
    for (const hit of hitsOf(path)) {
      if (hits.length === limits.searchHits) return { hits, cut: `only the first ${limits.searchHits} hits are shown` };
      hits.push(hit);
    }
  }
  return { hits, cut: null };
}

type HitsOf = (path: string) => Iterable<string>;

function* filesBelow(root: string): Generator<string, void, void> {
  if (!statSync(root).isDirectory()) return yield root;
  const directories = [root];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const below: string[] = [];
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isFile()) yield path;
      else if (entry.isDirectory() && !skippedDirectories.has(entry.name)) below.push(path);
    }
    directories.push(...below.reverse());
  }
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // not readable, or gone since it was listed
  }
}

function matcher(glob: string, request: SearchRequest): (path: string) => boolean {
  // A glob without a slash is about names, wherever they are.
  const matches = picomatch(glob, { dot: true, basename: !glob.includes("/") });
  return (path) => matches(relative(request.root, path)) || matches(relative(request.base, path));
}

function finder(request: SearchRequest & { kind: "find" }): HitsOf {
  const matches = matcher(request.glob, request);
  return (path) => (matches(path) ? [relative(request.base, path)] : []);
}

function grepper(request: SearchRequest & { kind: "grep" }): HitsOf {
  const pattern = new RegExp(request.pattern, request.flags);
  const matches = request.glob === null ? () => true : matcher(request.glob, request);
  return function* (path) {
    const text = matches(path) ? textOf(path) : null;
    if (text === null) return;
    const shown = relative(request.base, path);
    let number = 0;
    for (const line of text.split("\n")) {
      number++;
      if (pattern.test(line)) yield `${shown}:${number}: ${line.slice(0, limits.searchLineChars)}`;
    }
  };
}

/** Null for what is binary, too large or not readable. */
function textOf(path: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > limits.searchFileBytes) return null;
    const bytes = Buffer.alloc(size);
    const file = openSync(path, "r");
    const length = readSync(file, bytes, 0, size, 0);
    closeSync(file);
    return bytes.subarray(0, 8_192).includes(0) ? null : bytes.toString("utf8", 0, length);
  } catch {
    return null;
  }
}
