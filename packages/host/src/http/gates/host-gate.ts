/**
 * Against DNS rebinding: a page that points its own name at this computer sends that name. Addresses in digits and
 * `localhost` cannot be pointed elsewhere; every other name must be allowed.
 */
import { isIP } from "node:net";
import { httpError } from "../problem.ts";
import type { Gate } from "./gate.ts";

/** `name`, or `name:port` for that port alone. */
export function hostGate(allowed: readonly string[]): Gate {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  return () => async (c, next) => {
    const host = hostOf(c.req.raw);
    if (!isAllowed(host, names))
      throw httpError(
        "host-not-allowed",
        `This server does not answer to the name "${host.slice(0, 200)}". Use localhost or its address, or allow the name.`,
      );
    await next();
  };
}
/** As the client sent it, in lower case. */
export const hostOf = ({ headers, url }: Request): string => (headers.get("host") ?? new URL(url).host).toLowerCase();

function isAllowed(host: string, names: ReadonlySet<string>): boolean {
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/.exec(host) ?? [];
  if (name === undefined) return false;
  return name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0 || names.has(name) || names.has(host);
}
