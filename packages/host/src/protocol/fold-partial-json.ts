/**
 * Reads the value out of JSON text that may stop anywhere: a tool input while it is still being streamed.
 *
 * Invariants: one pass over the text, no recursion, never throws. Text that cannot be completed gives `undefined`.
 * The results are those of the AI SDK's `parsePartialJson`, its tolerance for broken text included, because a viewer
 * that folds the same chunks with the SDK has to see the same input.
 */

/** What the next character is read as. `value`, `after` and the like hold between tokens. */
type Mode =
  | "value"
  | "first-item"
  | "first-key"
  | "next-key"
  | "key"
  | "colon"
  | "after"
  | "string"
  | "escape"
  | "unicode"
  | "number"
  | "literal";

type Scan = {
  readonly text: string;
  mode: Mode;
  /** The brackets that would close what is open, outermost first. */
  readonly closers: ("}" | "]")[];
  /** How much of the text can be completed to JSON. The rest is left out. */
  keep: number;
  literalFrom: number;
  hexDigits: number;
};

const literals = ["true", "false", "null"];

export function parsePartialJson(text: string): unknown {
  return (tryParse(text) ?? tryParse(completed(text)))?.value;
}

/** The longest readable beginning of the text, with everything closed that it leaves open. */
function completed(text: string): string {
  const scan: Scan = { text, mode: "value", closers: [], keep: 0, literalFrom: 0, hexDigits: 0 };
  for (let at = 0; at < text.length; at++) steps[scan.mode](scan, text.charAt(at), at);
  let result = text.slice(0, scan.keep);
  if (scan.mode === "string" || scan.mode === "escape" || scan.mode === "unicode") result += '"';
  if (scan.mode === "literal") {
    const begun = text.slice(scan.literalFrom);
    result += (literals.find((literal) => literal.startsWith(begun)) ?? "").slice(begun.length);
  }
  return result + scan.closers.reverse().join("");
}

/** Characters a mode has no use for are passed over. If something after them is kept, they spoil the result. */
const steps: Readonly<Record<Mode, (scan: Scan, char: string, at: number) => void>> = {
  value: beginValue,
  "first-item": (scan, char, at) => {
    if (char === "]") close(scan, at);
    else beginValue(scan, char, at);
  },
  "first-key": (scan, char, at) => {
    if (char === '"') scan.mode = "key";
    else if (char === "}") close(scan, at);
  },
  "next-key": (scan, char) => {
    if (char === '"') scan.mode = "key";
  },
  // Any quote ends a key here, even an escaped one, as in the SDK.
  key: (scan, char) => {
    if (char === '"') scan.mode = "colon";
  },
  colon: (scan, char) => {
    if (char === ":") scan.mode = "value";
  },
  after: (scan, char, at) => {
    // An array keeps whatever follows a value, an object only what belongs there.
    if (!continueContainer(scan, char, at) && scan.closers.at(-1) === "]") scan.keep = at + 1;
  },
  string: (scan, char, at) => {
    if (char === "\\") {
      scan.mode = "escape";
      return;
    }
    if (char === '"') scan.mode = "after";
    scan.keep = at + 1;
  },
  escape: (scan, char, at) => {
    scan.mode = char === "u" ? "unicode" : "string";
    if (char === "u") scan.hexDigits = 0;
    else scan.keep = at + 1;
  },
  unicode: (scan, char, at) => {
    if (!/[0-9a-fA-F]/.test(char)) return;
    scan.hexDigits++;
    if (scan.hexDigits < 4) return;
    scan.mode = "string";
    scan.keep = at + 1;
  },
  number: (scan, char, at) => {
    if (isDigit(char)) scan.keep = at + 1;
    else if (!"eE-.".includes(char)) endScalar(scan, char, at);
  },
  literal: (scan, char, at) => {
    const begun = scan.text.slice(scan.literalFrom, at + 1);
    if (literals.some((literal) => literal.startsWith(begun))) scan.keep = at + 1;
    else endScalar(scan, char, at);
  },
};

function beginValue(scan: Scan, char: string, at: number): void {
  if (char === "{" || char === "[") {
    scan.closers.push(char === "{" ? "}" : "]");
    scan.mode = char === "{" ? "first-key" : "first-item";
  } else if (char === '"') scan.mode = "string";
  else if (char === "t" || char === "f" || char === "n") {
    scan.mode = "literal";
    scan.literalFrom = at;
  } else if (isDigit(char) || char === "-") scan.mode = "number";
  else return;
  // A lone minus is no number yet.
  if (char !== "-") scan.keep = at + 1;
}

/** Numbers and literals end at the first character that is not theirs, and that character still counts. */
function endScalar(scan: Scan, char: string, at: number): void {
  scan.mode = "after";
  continueContainer(scan, char, at);
}

/** After a value: the comma or the bracket of the container it is in. False for anything else. */
function continueContainer(scan: Scan, char: string, at: number): boolean {
  const closer = scan.closers.at(-1);
  if (closer === undefined) return false;
  if (char === closer) close(scan, at);
  else if (char === ",") scan.mode = closer === "}" ? "next-key" : "value";
  else return false;
  return true;
}

function close(scan: Scan, at: number): void {
  scan.closers.pop();
  scan.mode = "after";
  scan.keep = at + 1;
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return mayTouchPrototypes.test(text) && touchesPrototypes(value) ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** Cheap first look; an escape could spell either name. */
const mayTouchPrototypes = /__proto__|constructor|\\u/;

/** Keys that would reach a prototype if a reader copied the value key by key. The SDK refuses such inputs too. */
function touchesPrototypes(root: unknown): boolean {
  const queue: unknown[] = [root];
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return true;
    const maker: unknown = Object.hasOwn(value, "constructor") ? Reflect.get(value, "constructor") : undefined;
    if (typeof maker === "object" && maker !== null && Object.hasOwn(maker, "prototype")) return true;
    for (const inner of Object.values(value)) queue.push(inner);
  }
  return false;
}
