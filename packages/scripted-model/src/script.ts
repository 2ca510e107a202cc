/**
 * The directive language: a prompt's `#verb` lines become the steps that are played, one per model request.
 * Invariants: never throws; text without a directive gives no steps; a mistake in a directive, a verb nobody knows
 * included, becomes a step that says so. Lines that shape the next answer (`#think`, `#usage`, `#cut`, `#status`) belong to its step.
 */
import { listOf, objectOf, parseJson, stringOf } from "./json.ts";

export interface LiteralCall {
  readonly name: string;
  readonly input: unknown;
}

export type Action =
  | { readonly verb: "say"; readonly text: string }
  | { readonly verb: "slow"; readonly delayMs: number; readonly text: string }
  | { readonly verb: "bash"; readonly command: string }
  | { readonly verb: "read"; readonly path: string }
  | { readonly verb: "write"; readonly path: string; readonly content: string }
  | { readonly verb: "tools"; readonly calls: readonly LiteralCall[] }
  | { readonly verb: "malformed" }
  | { readonly verb: "hang" }
  | { readonly verb: "done" }
  | { readonly verb: "mistake"; readonly text: string };

/** An HTTP error to answer with `times` times (`Infinity`: always); `retryAfter` in seconds. */
export interface Failure {
  readonly status: number;
  readonly times: number;
  readonly message?: string;
  readonly retryAfter?: number;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

export interface Step {
  readonly failures: readonly Failure[];
  readonly thoughts: readonly string[];
  readonly usage?: TokenUsage;
  /** Break the connection after this many pieces of the action's output. */
  readonly cut?: number;
  readonly action: Action;
}

type Shape = Omit<Step, "action">;
type Line = { readonly action: Action } | { readonly shape: (shape: Shape) => Shape };
type Reader = (rest: string) => Line | undefined;

/** What a script says when all its lines are played. */
export const doneStep: Step = { failures: [], thoughts: [], action: { verb: "done" } };

const act = (action: Action): Line => ({ action });
const shaped = (shape: (shape: Shape) => Shape): Line => ({ shape });

function splitWord(rest: string): [word: string, rest: string] {
  const match = /^\s*(\S+)\s?([\s\S]*)$/.exec(rest);
  return [match?.[1] ?? "", match?.[2] ?? ""];
}

const count = (word: string | undefined): number | undefined =>
  word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };
const unescapeText = (text: string): string =>
  text.replace(/\\([nt\\])/g, (_, letter: string) => escapes[letter] ?? "");

function readSlow(rest: string): Line | undefined {
  const [word, text] = splitWord(rest);
  const delayMs = count(word);
  return delayMs === undefined ? undefined : act({ verb: "slow", delayMs, text });
}

function readWrite(rest: string): Line | undefined {
  const [path, content] = splitWord(rest);
  return path === "" ? undefined : act({ verb: "write", path, content: unescapeText(content) });
}

function readTool(rest: string): Line | undefined {
  const [name, json] = splitWord(rest);
  const input = json.trim() === "" ? {} : parseJson(json);
  return name === "" || input === undefined ? undefined : act({ verb: "tools", calls: [{ name, input }] });
}

function readTools(rest: string): Line | undefined {
  const calls = listOf(parseJson(rest)).map((item) => ({
    name: stringOf(objectOf(item)["name"]),
    input: objectOf(item)["input"] ?? {},
  }));
  return calls.length === 0 || calls.some((call) => call.name === "") ? undefined : act({ verb: "tools", calls });
}

function readUsage(rest: string): Line | undefined {
  const [first, second] = rest.trim().split(/\s+/);
  const input = count(first);
  const output = count(second);
  if (input === undefined || output === undefined) return undefined;
  return shaped((shape) => ({ ...shape, usage: { input, output } }));
}

function readCut(rest: string): Line | undefined {
  const cut = count(rest.trim());
  return cut === undefined ? undefined : shaped((shape) => ({ ...shape, cut }));
}

const statusOption = /^(?:x(\d{1,9})|after=(\d{1,9}))(?:\s+|$)/;

/** `CODE [xN] [after=SECONDS] [MESSAGE]`, the two options in any order. */
function readStatus(rest: string): Line | undefined {
  const [code, tail] = splitWord(rest);
  const status = count(code);
  if (status === undefined || status < 400 || status > 599) return undefined;
  let message = tail.trim();
  let failure: Failure = { status, times: Number.POSITIVE_INFINITY };
  for (let option = statusOption.exec(message); option !== null; option = statusOption.exec(message)) {
    const [all, times, retryAfter] = option;
    failure =
      times === undefined ? { ...failure, retryAfter: Number(retryAfter) } : { ...failure, times: Number(times) };
    message = message.slice(all.length);
  }
  const whole = message === "" ? failure : { ...failure, message };
  return shaped((shape) => ({ ...shape, failures: [...shape.failures, whole] }));
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["say", (text) => act({ verb: "say", text })],
  ["think", (text) => shaped((shape) => ({ ...shape, thoughts: [...shape.thoughts, text] }))],
  ["bash", (command) => (command.trim() === "" ? undefined : act({ verb: "bash", command }))],
  ["read", (path) => (path.trim() === "" ? undefined : act({ verb: "read", path: path.trim() }))],
  ["write", readWrite],
  ["tool", readTool],
  ["tools", readTools],
  ["slow", readSlow],
  ["usage", readUsage],
  ["status", readStatus],
  ["cut", readCut],
  ["hang", () => act({ verb: "hang" })],
  ["malformed", () => act({ verb: "malformed" })],
]);

const unknownVerb = (verb: string): string =>
  `I do not know the directive #${verb.slice(0, 40)}. There are ${[...readers.keys()].map((name) => `#${name}`).join(", ")}. ` +
  `A line that begins with ##${verb.slice(0, 40)} is taken as text.`;

function readLine(line: string): Line | undefined {
  const match = /^\s*#([a-z]+)(?:[ \t]([\s\S]*))?$/.exec(line);
  const verb = match?.[1];
  if (verb === undefined) return undefined;
  const reader = readers.get(verb);
  if (reader === undefined) return act({ verb: "mistake", text: unknownVerb(verb) });
  return reader(match?.[2] ?? "") ?? act({ verb: "mistake", text: `I cannot read this directive: ${line.trim()}` });
}

/** The steps of a prompt, in order. Empty when it has no directive. */
export function parseScript(text: string): Step[] {
  const steps: Step[] = [];
  const fresh: Shape = { failures: [], thoughts: [] };
  let shape = fresh;
  for (const line of text.split(/\r?\n/).map(readLine)) {
    if (line === undefined) continue;
    if ("shape" in line) {
      shape = line.shape(shape);
    } else {
      steps.push({ ...shape, action: line.action });
      shape = fresh;
    }
  }
  // A script may end in a shaping line; the closing word is what it shapes.
  if (shape !== fresh) steps.push({ ...doneStep, ...shape });
  return steps;
}

/** Plain text as its author meant it: a line that begins with `##` is a line that begins with `#`. */
export const plainText = (text: string): string => text.replace(/^([ \t]*)##/gm, "$1#");
