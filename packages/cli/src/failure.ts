/** An error as the person sees it: one line, what to do, and with `--debug` where it came from. */
import { exitCodes } from "./exit-codes.ts";
import { plainText } from "./text/plain-text.ts";
import { UsageError } from "./usage-error.ts";

/** `status`: of a server's answer. */
type Failure = { readonly detail: Readonly<Record<string, unknown>>; readonly status: number | null };
type Hint = (command: string, failure: Failure) => string | null;

const doctor: Hint = (command) => `${command} doctor says what is missing.`;
const disk: Hint = () => "Make room on the disk of the data directory, then try again. What was accepted is kept.";
const access: Hint = () => "Look who owns it and whether you may write there, or choose another place.";

/** What to do about errors whose message does not say it. By code. */
const hints: ReadonlyMap<string, Hint> = new Map([
  ["no-such-session", (command) => `${command} sessions ls lists them; a part of an id is not taken.`],
  ["no-such-message", (command) => `${command} sessions show SESSION --json has the ids.`],
  ["no-such-approval", (command) => `${command} approvals ls lists the open ones.`],
  ["no-such-input", (command) => `${command} queue ls lists them.`],
  ["no-such-rule", (command) => `${command} rules ls lists them.`],
  ["no-agent", doctor],
  ["no-credentials", doctor],
  ["agent-incomplete", (command) => `${command} agents set NAME --model MODEL`],
  ["bad-workspace", outsideRoots],
  ["data-dir-in-use", inUse],
  ["unauthorized", () => "Set MOORING_TOKEN to the token the server was started with."],
  ["no-connection", (command) => `It went away meanwhile. ${command} doctor says what runs now.`],
  ["resume-failed", (command) => `${command} sessions resume SESSION retry, or fresh, or fresh-with-transcript`],
  ["scope-unavailable", () => "Answer it once, without --scope."],
  ["full", disk],
  ["ENOSPC", disk],
  ["io", access],
  ["EACCES", access],
  ["EPERM", access],
  ["EROFS", access],
] satisfies [string, Hint][]);

function inUse(command: string, { detail }: Failure): string {
  return detail["command"] === "mooring serve"
    ? "That server does not answer yet, or not any more: try again in a moment."
    : `Commands share one host while ${command} serve runs.`;
}

/** Without a server the directory that was named is a root: it is not there, and the message says so. */
function outsideRoots(command: string, { status }: Failure): string | null {
  return status === null ? null : `The server says where agents may work: ${command} serve --root DIR, again for more.`;
}

export type FailureView = {
  readonly debug: boolean;
  /** How the person starts `mooring`. */
  readonly command: string;
};

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export function failureText(cause: unknown, { debug, command }: FailureView): string {
  const hint = cause instanceof UsageError ? cause.hint : hintFor(cause, command);
  const stack = debug && cause instanceof Error ? causes(cause) : [];
  const unexpected = codeOf(cause) === null && !debug ? "Not expected: --debug says where it happened." : null;
  return [`mooring: ${messageOf(cause)}`, hint ?? unexpected, ...stack]
    .filter((text) => text !== null)
    .map((text) => `${plainText(text)}\n`)
    .join("");
}

export const failureStatus = (cause: unknown): number =>
  cause instanceof UsageError ? exitCodes.usage : exitCodes.failed;

/** Errors of the host, of Node and of our own all have one. */
export function codeOf(cause: unknown): string | null {
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : null;
}

function hintFor(cause: unknown, command: string): string | null {
  const { detail, status }: { detail?: unknown; status?: unknown } = Object(cause);
  const failure = { detail: { ...Object(detail) }, status: typeof status === "number" ? status : null };
  return hints.get(codeOf(cause) ?? "")?.(command, failure) ?? null;
}

function causes(error: Error): readonly string[] {
  const stack = error.stack ?? "";
  return error.cause instanceof Error ? [stack, "caused by", ...causes(error.cause)] : [stack];
}
