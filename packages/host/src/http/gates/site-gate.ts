/**
 * Against what another site makes a browser send without an origin: pictures, scripts, forms of old. Browsers say where a
 * request comes from in `Sec-Fetch-Site`; other clients say nothing. A link to an open route may be followed from
 * anywhere.
 */
import { httpError } from "../problem.ts";
import type { Gate, RouteFacts } from "./gate.ts";

export const siteGate =
  (allowedOrigins: ReadonlySet<string>): Gate =>
  (facts) =>
  async (c, next) => {
    const site = c.req.header("sec-fetch-site");
    const own = site === undefined || site === "same-origin" || site === "none";
    if (!own && !allowedOrigins.has(c.req.header("origin") ?? "") && !isLink(c.req.raw, facts))
      throw httpError("cross-site-request", "A browser sent this for a page of another site.");
    await next();
  };
const isLink = ({ method, headers }: Request, { open }: RouteFacts): boolean =>
  open && method === "GET" && headers.get("sec-fetch-mode") === "navigate";
