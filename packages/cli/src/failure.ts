/** An error as the person sees it: one line, what to do, and with `--debug` where it came from. */
import { exitCodes } from "./exit-codes.ts";
import { plainText } from "./text/plain-text.ts";
import { UsageError } from "./usage-error.ts";

/** What to do about errors whose message does not say it. By code. */
const hints: ReadonlyMap<string, (command: string) => string> = new Map([
  ["no-such-session", (command) => `${command} sessions ls lists them; a part of an id is not taken.`],
  ["no-such-message", (command) => `${command} sessions show SESSION --json has the ids.`],
  ["no-such-approval", (command) => `${command} approvals ls lists the open ones.`],
  ["no-such-input", (command) => `${command} queue ls lists them.`],
  ["no-agent", (command) => `${command} doctor says what is missing.`],
  ["no-credentials", (command) => `${command} doctor says what is missing.`],
  ["agent-incomplete", (command) => `${command} agents set NAME --model MODEL`],
]);

export type FailureView = {
  readonly debug: boolean;
  /** How the person starts `mooring`. */
  readonly command: string;
};

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export function failureText(cause: unknown, { debug, command }: FailureView): string {
  const hint = cause instanceof UsageError ? cause.hint : (hints.get(codeOf(cause) ?? "")?.(command) ?? null);
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

function causes(error: Error): readonly string[] {
  const stack = error.stack ?? "";
  return error.cause instanceof Error ? [stack, "caused by", ...causes(error.cause)] : [stack];
}
