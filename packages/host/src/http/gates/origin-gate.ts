/**
 * Which other pages a browser may let in: those of allowed origins, by name. Invariants: no wildcard; another origin gets
 * no cookie of ours to use; a page that is not allowed hears nothing but the refusal.
 */
import { httpError } from "../problem.ts";
import type { Gate, GateContext } from "./gate.ts";
import { hostOf } from "./host-gate.ts";

const methods = "GET, POST, PUT, PATCH, DELETE";
const requestHeaders = "authorization, content-type, idempotency-key, last-event-id, user-agent";
const responseHeaders = "content-disposition, retry-after, x-vercel-ai-ui-message-stream";

export type Origins = { readonly allowed: ReadonlySet<string>; readonly maxAgeSeconds: number };

export const originGate =
  ({ allowed, maxAgeSeconds }: Origins): Gate =>
  () =>
  async (c, next) => {
    const origin = c.req.header("origin");
    if (allowed.size > 0) c.header("vary", "Origin");
    if (origin === undefined || isOwn(origin, c.req.raw)) return next();
    if (!allowed.has(origin))
      throw httpError(
        "origin-not-allowed",
        "Pages of this origin may not use this server. Allow it with --allow-origin.",
      );
    c.header("access-control-allow-origin", origin);
    if (isPreflight(c)) return preflight(c, maxAgeSeconds);
    c.header("access-control-expose-headers", responseHeaders);
    return next();
  };

/** The scheme apart, which a proxy in front may change. */
function isOwn(origin: string, request: Request): boolean {
  return /^https?:\/\//.test(origin) && origin.slice(origin.indexOf("//") + 2).toLowerCase() === hostOf(request);
}
const isPreflight = (c: GateContext): boolean =>
  c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;

function preflight(c: GateContext, maxAgeSeconds: number): Response {
  c.header("access-control-allow-methods", methods);
  c.header("access-control-allow-headers", requestHeaders);
  c.header("access-control-max-age", String(maxAgeSeconds));
  return c.body(null, 204);
}
