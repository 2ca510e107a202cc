/** All gates, in order: what is known without reading comes first, who it is before what they send. */
import type { Authenticator } from "../auth/authenticate.ts";
import type { HttpLimits } from "../limits.ts";
import type { NamedGate } from "./gate.ts";
import { headersGate } from "./headers-gate.ts";
import { hostGate } from "./host-gate.ts";
import { mediaGate } from "./media-gate.ts";
import { originGate } from "./origin-gate.ts";
import { siteGate } from "./site-gate.ts";
import { sizeGate } from "./size-gate.ts";
import { tokenGate } from "./token-gate.ts";

export type GateOptions = {
  readonly authenticator: Authenticator;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly limits: HttpLimits;
};

export function allGates({ authenticator, allowedHosts, allowedOrigins, limits }: GateOptions): readonly NamedGate[] {
  const allowed = new Set(allowedOrigins);
  return [
    { name: "headers", gate: headersGate },
    { name: "host", gate: hostGate(allowedHosts) },
    { name: "origin", gate: originGate({ allowed, maxAgeSeconds: limits.corsMaxAgeSeconds }) },
    { name: "site", gate: siteGate(allowed) },
    { name: "token", gate: tokenGate(authenticator) },
    { name: "media", gate: mediaGate },
    { name: "size", gate: sizeGate(limits) },
  ];
}
