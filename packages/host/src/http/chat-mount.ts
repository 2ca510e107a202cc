/** The routes of useChat behind the gates of this server: who asks, from where, how much they send, how errors look. */
import type { Hono, MiddlewareHandler } from "hono";
import { chatRoutes } from "./chat/chat-routes.ts";
import type { GateContext, GateEnv, RouteFacts } from "./gates/gate.ts";
import { httpError } from "./problem.ts";
import type { RoutePorts } from "./routes/route.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

const base = "/api/chat";
export const chatPaths: readonly { readonly method: string; readonly path: string; readonly facts: RouteFacts }[] = [
  { method: "POST", path: base, facts: { body: "chat", open: false } },
  { method: "GET", path: `${base}/:id/stream`, facts: { body: "none", open: false } },
  { method: "POST", path: `${base}/:id/stop`, facts: { body: "json", open: false } },
];

export function mountChat(
  app: Hono<GateEnv>,
  gates: (facts: RouteFacts) => MiddlewareHandler<GateEnv>[],
  { host, clock, limits }: RoutePorts,
  streams: OpenStreams,
): void {
  for (const { method, path, facts } of chatPaths) app.on(method, [path], ...gates(facts), noHead);
  const by = (c: unknown): string => (c as GateContext).get("principal").name;
  app.route(base, chatRoutes({ host, clock, limits, streams, by }));
}
/** It would open a stream that nobody reads. */
const noHead: MiddlewareHandler<GateEnv> = async (c, next) => {
  if (c.req.method === "HEAD") throw httpError("method-not-allowed", "Use GET.", { allow: "GET" });
  await next();
};
