/**
 * A shell command as the list of simple commands it runs, for rules that allow. Invariant: when in doubt it is not plain.
 * Nothing is expanded or unquoted, so what is allowed is text a person could have read; substitutions, subshells,
 * redirections, here-documents, comments and odd quoting make a command one that only its exact text allows.
 */

/** Characters looked at; a longer command is not plain. */
const longest = 100_000;
// What a terminal does not show, or shows as something else; tab and newline are read as the shell reads them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Redirections that change nothing: to nowhere, from nowhere, of one stream into another. */
const harmless = /(?:[0-9]?>&[0-9]|(?:[0-9]|&)?>>?[ \t]*\/dev\/null|[0-9]?<[ \t]*\/dev\/null)(?=[\s;&|]|$)/y;

/** Trimmed, in order, at least one; null: it is not plain. */
export function plainCommands(command: string): readonly string[] | null {
  if (command.length > longest || unreadable.test(command)) return null;
  const scan: Scan = { command, at: 0, parts: [], part: "", isWordStart: true };
  while (scan.at < command.length) if (!step(scan)) return null;
  endPart(scan);
  return scan.parts.length === 0 ? null : scan.parts;
}

type Scan = { readonly command: string; at: number; parts: string[]; part: string; isWordStart: boolean };

/** False: not plain. */
function step(scan: Scan): boolean {
  const { command, at } = scan;
  const char = command[at] ?? "";
  const redirect = scan.isWordStart || char === ">" || char === "<" ? redirectAt(command, at) : 0;
  if (redirect > 0) return take(scan, redirect, " ");
  switch (char) {
    case "'":
      return single(scan);
    case '"':
      return double(scan);
    case "\\":
      return command[at + 1] !== undefined && command[at + 1] !== "\n" && take(scan, 2);
    case "$":
      return isPlainDollar(command, at) && take(scan, 1);
    case "#":
      return !scan.isWordStart && take(scan, 1);
    case ";":
    case "&":
    case "|":
    case "\n":
      endPart(scan);
      return take(scan, 1, "", true);
    case " ":
    case "\t":
      return take(scan, 1, char, true);
    default:
      return !"<>(){}`".includes(char) && take(scan, 1);
  }
}

/** Length of a harmless redirection; 0: there is none. */
function redirectAt(command: string, at: number): number {
  harmless.lastIndex = at;
  return harmless.exec(command)?.[0].length ?? 0;
}

function take(scan: Scan, length: number, as?: string, wordStart = false): boolean {
  scan.part += as ?? scan.command.slice(scan.at, scan.at + length);
  scan.at += length;
  scan.isWordStart = wordStart;
  return true;
}

function single(scan: Scan): boolean {
  const end = scan.command.indexOf("'", scan.at + 1);
  return end !== -1 && take(scan, end + 1 - scan.at);
}

function double(scan: Scan): boolean {
  const { command } = scan;
  for (let at = scan.at + 1; at < command.length; at += 1) {
    const char = command[at];
    if (char === "\\") at += 1;
    else if (char === "`" || (char === "$" && command[at + 1] !== '"' && !isPlainDollar(command, at))) return false;
    else if (char === '"') return take(scan, at + 1 - scan.at);
  }
  return false;
}

/** A variable, or a dollar that is only that: nothing that runs a command or begins another kind of quote. */
const isPlainDollar = (command: string, at: number): boolean =>
  /^(?:[A-Za-z_0-9?#@*!$-]|\s|$)/.test(command.slice(at + 1, at + 2));

function endPart(scan: Scan): void {
  const part = scan.part.trim();
  if (part !== "") scan.parts.push(part);
  scan.part = "";
}
