/**
 * What a shell command may run, read widely, for rules that restrict. Best effort and not a wall: it takes quotes and
 * backslashes out, looks into substitutions, subshells and scripts in quotes, past `sudo` and its like, past paths and
 * assignments before a command; it knows no variables, aliases, encodings or files. It may see a command where there
 * is none, never the other way round on purpose.
 */

/** One simple command: its words, and the files its redirections write. */
export type Reading = { readonly words: readonly string[]; readonly writes: readonly string[] };

/** Characters read (no shell takes more as one argument); scripts in scripts; words behind which a command is looked for. */
const limits = { chars: 131_072, depth: 4, words: 12 };

/** They run what follows, as words. */
const carriers = new Set(
  `sudo doas env nohup command builtin exec time nice ionice timeout xargs stdbuf setsid busybox chroot parallel watch
   unshare flock then do else if while until ! nsenter strace ltrace script caffeinate find fd`.split(/\s+/),
);
/** They run what is in their words, or in what they are given. */
const interpreters = new Set(
  "sh bash zsh dash ksh ash fish eval source . xargs ssh su watch parallel find trap env".split(" "),
);

export function readCommand(command: string, depth = 0): readonly Reading[] {
  const { readings, quoted } = tokenize(command.slice(0, limits.chars));
  const runsText = readings.some(({ words }) =>
    words.some((word) => interpreters.has(nameOf(word)) || word.startsWith("$")),
  );
  const nested = depth < limits.depth && runsText ? quoted.flatMap((text) => readCommand(text, depth + 1)) : [];
  return [...readings.flatMap(carried), ...nested];
}
/** As patterns see it: words with one blank between, the command by its name and by its path. */
export function textsOf({ words }: Reading): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const texts = [
    [first, ...rest],
    [nameOf(first), ...rest],
  ].map((each) => each.join(" "));
  return [...new Set(texts)];
}
export const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

/** The command without what is assigned before it; and behind a carrier each place where the carried one may begin. */
function carried(reading: Reading): readonly Reading[] {
  const start = reading.words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  const words = start === -1 ? [] : reading.words.slice(start);
  const first = { ...reading, words };
  if (!carriers.has(nameOf(words[0] ?? ""))) return [first];
  const places = words.slice(1, limits.words).keys();
  return [first, ...[...places].map((at) => ({ ...reading, words: words.slice(at + 1) }))];
}

type Tokens = {
  readonly readings: { words: string[]; writes: string[] }[];
  readonly quoted: string[];
  word: string | null;
  isTarget: boolean;
};

function tokenize(command: string): { readonly readings: readonly Reading[]; readonly quoted: readonly string[] } {
  const tokens: Tokens = { readings: [{ words: [], writes: [] }], quoted: [], word: null, isTarget: false };
  const text = command.replace(/\\\r?\n/g, "").replace(/\$\{?IFS\}?/g, " ");
  for (let at = 0; at < text.length; ) at = token(tokens, text, at);
  endCommand(tokens);
  return {
    readings: tokens.readings.filter(({ words, writes }) => words.length + writes.length > 0),
    quoted: tokens.quoted,
  };
}
/** Returns where the next one begins. */
function token(tokens: Tokens, text: string, at: number): number {
  const char = text[at] ?? "";
  if (char === "'" || char === '"') return quote(tokens, text, at);
  if (char === "\\") return add(tokens, text[at + 1] ?? "", at + 2);
  if (char === "$" && /['"]/.test(text[at + 1] ?? "")) return at + 1;
  if (text.startsWith("${", at)) return add(tokens, "${", at + 2);
  if (";&|\n\r()`".includes(char)) return endCommand(tokens, at + 1);
  if (/\s/.test(char)) return endWord(tokens, at + 1);
  if (char === "{" || char === "}") return brace(tokens, text, at);
  if (char === ">" || char === "<") return redirect(tokens, text, at);
  return add(tokens, char, at + 1);
}
function quote(tokens: Tokens, text: string, at: number): number {
  const mark = text[at];
  let inside = "";
  let end = at + 1;
  for (; end < text.length && text[end] !== mark; end += 1) {
    if (mark === '"' && text[end] === "\\" && end + 1 < text.length) end += 1;
    inside += text[end];
  }
  if (/[\s;&|$`(]/.test(inside)) tokens.quoted.push(inside);
  if (mark === '"')
    for (const script of substitutions(inside)) tokens.readings.unshift(...mutable(readCommand(script, limits.depth)));
  return add(tokens, inside, end + 1);
}
const substitutions = (text: string): readonly string[] =>
  [...text.matchAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)|`([^`]*)`/g)].map((found) => found[1] ?? found[2] ?? "");
const mutable = (readings: readonly Reading[]) =>
  readings.map(({ words, writes }) => ({ words: [...words], writes: [...writes] }));

/** `${name}` stays one word; `{a,b}` is its words; a brace alone begins or ends a command. */
function brace(tokens: Tokens, text: string, at: number): number {
  if (tokens.word?.includes("${")) return add(tokens, text[at] ?? "", at + 1);
  const list = /^\{[^\s{}]*,[^\s{}]*\}/.exec(text.slice(at, at + 1_000))?.[0];
  if (list === undefined)
    return tokens.word === null ? endCommand(tokens, at + 1) : add(tokens, text[at] ?? "", at + 1);
  const stem = tokens.word ?? "";
  for (const each of list.slice(1, -1).split(",")) {
    tokens.word = stem + each;
    endWord(tokens, at);
  }
  return at + list.length;
}
function redirect(tokens: Tokens, text: string, at: number): number {
  if (/^\d$/.test(tokens.word ?? "")) tokens.word = null;
  endWord(tokens, at);
  const mark = /^[<>][<>&|]*/.exec(text.slice(at, at + 10))?.[0] ?? ">";
  tokens.isTarget = mark.startsWith(">");
  return at + mark.length;
}
function add(tokens: Tokens, text: string, next: number): number {
  tokens.word = (tokens.word ?? "") + text;
  return next;
}
function endWord(tokens: Tokens, next: number): number {
  if (tokens.word === null) return next;
  const reading = tokens.readings.at(-1);
  if (tokens.isTarget) reading?.writes.push(tokens.word);
  else reading?.words.push(tokens.word);
  tokens.word = null;
  tokens.isTarget = false;
  return next;
}
function endCommand(tokens: Tokens, next = 0): number {
  endWord(tokens, next);
  tokens.isTarget = false;
  const last = tokens.readings.at(-1);
  if (!last || last.words.length + last.writes.length > 0) tokens.readings.push({ words: [], writes: [] });
  return next;
}
