/**
 * What stands before a route. A gate lets a request pass or throws; it has no way to answer but a preflight. Invariant:
 * every route, and every address that is none, has all gates before it, in the order of `gates.ts`.
 */
import type { Context, MiddlewareHandler } from "hono";
import type { Principal } from "../auth/authenticate.ts";
import type { BodyKind } from "../limits.ts";

/** What a gate may know of a route. */
export type RouteFacts = {
  readonly body: BodyKind;
  /** Open to strangers: it shows and changes nothing that is anyone's. */
  readonly open: boolean;
};
export type GateEnv = { readonly Variables: { principal: Principal } };
export type GateContext = Context<GateEnv>;
export type Gate = (facts: RouteFacts) => MiddlewareHandler<GateEnv>;
export type GateName = "headers" | "host" | "origin" | "site" | "token" | "media" | "size";
export type NamedGate = { readonly name: GateName; readonly gate: Gate };

/** Requests that cannot change anything. */
export const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";
