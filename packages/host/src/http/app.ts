/**
 * Puts gates and routes together. Invariants: whatever address is asked for, all gates stand before the answer; what is
 * thrown anywhere becomes a problem document.
 */
import { Hono } from "hono";
import { redact } from "../host/redact.ts";
import type { Log } from "../ports/log.ts";
import { messageOf } from "../protocol/errors.ts";
import { chatPaths, mountChat } from "./chat-mount.ts";
import type { GateContext, GateEnv, NamedGate, RouteFacts } from "./gates/gate.ts";
import { openApiDocument } from "./openapi-document.ts";
import { answerPage } from "./page/answer-page.ts";
import { type PageFiles, pagePaths } from "./page/page-files.ts";
import { answerProblem, httpError, noSuchRoute } from "./problem.ts";
import { answerRoute } from "./respond.ts";
import type { RoutePorts } from "./routes/route.ts";
import { routes } from "./routes/routes.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

export type AppParts = {
  readonly gates: readonly NamedGate[];
  readonly ports: RoutePorts;
  readonly streams: OpenStreams;
  readonly log: Log;
  /** Of the web page; null: this server has none. */
  readonly page: PageFiles | null;
  /** False once the server is going down. */
  isReady(): boolean;
  /** Exchanges a login code for a page's cookie. */
  login(c: GateContext): Response;
};
type App = Hono<GateEnv>;
type Answering = (c: GateContext) => Response | Promise<Response>;
const open: RouteFacts = { body: "none", open: true };
const closed: RouteFacts = { body: "none", open: false };

export function createApp(parts: AppParts): App {
  const { gates, ports, streams, log } = parts;
  const app: App = new Hono();
  const before = (facts: RouteFacts) => gates.map(({ gate }) => gate(facts));
  const on = (methods: string[], path: string, facts: RouteFacts, answer: Answering): void => {
    app.on(methods, [path], ...before(facts), answer);
  };
  on(["GET"], "/healthz", open, (c) => c.json({ status: "ok" }));
  on(["GET"], "/readyz", open, (c) => ready(c, parts));
  on(["GET"], "/login", open, (c) => parts.login(c));
  on(["GET"], "/openapi.json", closed, async (c) => c.json(await openApiDocument()));
  for (const route of routes) {
    const facts: RouteFacts = { body: route.size ?? (route.body ? "json" : "none"), open: false };
    on([route.method], route.path, facts, (c) => answerRoute(c, route, ports, streams));
  }
  mountChat(app, before, ports, streams);
  for (const path of parts.page === null ? [] : pagePaths) on(["GET"], path, open, (c) => answerPage(c, parts.page));
  for (const [path, methods] of methodsByPath()) on(["ALL"], path, closed, (c) => otherMethod(c, methods));
  on(["ALL"], "*", closed, (c) => {
    throw noSuchRoute(c.req.path);
  });
  app.onError((cause, c) => answerProblem(c, cause, log, ports.limits.retryAfterSeconds));
  return app;
}
function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>([
    ["/healthz", ["GET", "HEAD"]],
    ["/readyz", ["GET", "HEAD"]],
    ["/login", ["GET"]],
    ["/openapi.json", ["GET", "HEAD"]],
    ...chatPaths.map(({ path, method }): [string, string[]] => [path, [method]]),
  ]);
  for (const { path, method } of routes) {
    const methods = found.get(path) ?? [];
    found.set(path, [...methods, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  return found;
}
function otherMethod(c: GateContext, methods: readonly string[]): Response {
  const allow = [...methods, "OPTIONS"].join(", ");
  if (c.req.method === "OPTIONS") return c.body(null, 204, { allow });
  throw httpError("method-not-allowed", `Use one of ${allow}.`, { allow });
}
/** The store answers, and nobody is taking the server down. */
async function ready(c: GateContext, { isReady, ports, log }: AppParts): Promise<Response> {
  if (!isReady()) throw httpError("not-ready", "The server is going down.");
  await ports.host.list({ limit: 1 }).catch((cause: unknown) => {
    log.warn("not-ready", { message: redact(messageOf(cause), []) });
    throw httpError("not-ready", "The store does not answer.");
  });
  return c.json({ status: "ready" });
}
