/**
 * Errors as problem documents (RFC 9457). Invariants: `type` and `code` of an error never change; what was not thrown on
 * purpose says nothing of the inside, and is logged.
 */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { redact } from "../host/redact.ts";
import type { Log } from "../ports/log.ts";
import { MooringError, messageOf } from "../protocol/errors.ts";
import { type KnownCode, statusOf } from "./problem-status.ts";

export const problemMediaType = "application/problem+json";
/** `pointer`: JSON pointer of the field (RFC 6901). */
export type FieldProblem = {
  readonly in: "body" | "query" | "header";
  readonly pointer: string;
  readonly detail: string;
};
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly retry: "never" | "later" | "now";
  readonly [fact: string]: unknown;
};

/** An error of the surface itself. */
export const httpError = (code: KnownCode, message: string, detail: Readonly<Record<string, unknown>> = {}) =>
  new MooringError(code, message, { detail, retry: statusOf(code) === 503 ? "later" : "never" });

export const noSuchRoute = (path: string): MooringError =>
  httpError("no-such-route", `There is nothing at ${path.slice(0, 200)}. See /openapi.json.`);

/** Where to look for what there is. */
const hints: Readonly<Partial<Record<string, string>>> = {
  "no-such-agent": "GET /v1/agents lists them.",
  "no-such-approval": "GET /v1/approvals lists them.",
  "no-such-input": "GET /v1/sessions/{session}/inputs lists those that wait.",
  "no-such-message": "GET /v1/sessions/{session}/messages lists them.",
  "no-such-rule": "GET /v1/rules lists them.",
  "no-such-session": "GET /v1/sessions lists them. A part of an id is not taken.",
  "no-such-turn": "Events, messages and GET /v1/sessions/{session} name turns.",
} satisfies Partial<Record<KnownCode, string>>;

export function problemOf(cause: unknown): Problem {
  if (!MooringError.isInstance(cause)) return internal;
  const { code, message, retry, detail } = cause;
  const status = statusOf(code);
  if (status === 500) return { ...internal, code, title: titleOf(code) };
  const hint = hints[code];
  const where = hint === undefined ? {} : { hint };
  return { ...detail, ...fieldOf(detail, message), ...basics(code, status, message), ...where, retry };
}
const basics = (code: string, status: number, detail: string) => ({
  type: `urn:mooring:problem:${code}`,
  title: titleOf(code),
  status,
  detail,
  code,
});
const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("-", " ");
const internal: Problem = {
  ...basics("internal", 500, "Something went wrong in the host. Its log says more."),
  retry: "never",
};
/** What the host calls a field is one at the top of the body. */
function fieldOf({ field }: MooringError["detail"], detail: string): { readonly errors?: readonly FieldProblem[] } {
  return typeof field === "string" ? { errors: [{ in: "body", pointer: `/${field}`, detail }] } : {};
}

/** The response to what a route or a gate threw. */
export function answerProblem(c: Context, cause: unknown, log: Log, retryAfterSeconds: number): Response {
  const problem = problemOf(cause);
  if (problem.status >= 500) tell(log, problem, cause, c.req);
  const headers: Record<string, string> = { "content-type": problemMediaType };
  if (problem.status === 401) headers["www-authenticate"] = 'Bearer realm="mooring"';
  if (problem.status === 503 || problem.retry === "later") headers["retry-after"] = String(retryAfterSeconds);
  if (problem.status === 405) headers["allow"] = String(problem["allow"]);
  return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode, headers);
}
/** The same where nothing is known any more but the request: what was thrown is not even an error. */
export function bareProblem(request: Request, cause: unknown, log: Log): Response {
  const problem = problemOf(cause);
  tell(log, problem, cause, { method: request.method, path: new URL(request.url).pathname });
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { "content-type": problemMediaType, "cache-control": "no-store" },
  });
}
/** A 500 is a fault of ours; that something is full, or going down, is news. */
function tell(log: Log, { status, code }: Problem, cause: unknown, asked: { method: string; path: string }): void {
  const { method, path } = asked;
  const fields = { method, path, code, message: redact(messageOf(cause), []) };
  if (status === 500) log.error("http-failed", fields);
  else log.warn("http-refused", fields);
}
