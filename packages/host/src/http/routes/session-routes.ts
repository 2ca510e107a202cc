/** Sessions: made, shown, changed, copied, and what they used. */
import { z } from "zod";
import type { SessionView } from "../../host/api.ts";
import { codeOf } from "../../protocol/errors.ts";
import { httpError } from "../problem.ts";
import { turnReports } from "../schemas/events.ts";
import { context, toolList } from "../schemas/host.ts";
import { fork, importSource, newSession, session, sessionList, sessionPatch } from "../schemas/sessions.ts";
import { usage } from "../schemas/usage.ts";
import { idempotencyKey, pageLimit } from "./query-values.ts";
import { done, json, type RoutePorts, route } from "./route.ts";

const listQuery = z.object({
  q: z.string().max(500).exactOptional().meta({ description: "Part of a title, workspace or id." }),
  state: z.enum(["idle", "busy", "waiting", "held"]).exactOptional(),
  after: z
    .string()
    .regex(/^\d{1,15}$/, "pass `next` of the page before")
    .exactOptional(),
  limit: pageLimit,
});
type NewSession = z.infer<typeof newSession>;

/**
 * The key is the session's own id where none is given. A session that is there already under it, and is what was asked
 * for, is given back; a session with an own id in its body is made once.
 */
async function create(given: NewSession, key: string | undefined, { host }: RoutePorts) {
  if (given.id !== undefined || key === undefined) return json(await host.create(given), 201);
  try {
    return json(await host.create({ ...given, id: key }), 201);
  } catch (cause) {
    if (codeOf(cause, "") !== "session-exists") throw cause;
    const there = await host.get(key);
    if (await isWhatWasAsked(there, given, host)) return json(there);
    throw httpError("conflict", "Another session was made with this key. Use a new key.", { session: there.id });
  }
}
async function isWhatWasAsked(there: SessionView, given: NewSession, host: RoutePorts["host"]): Promise<boolean> {
  const agentId = given.agent === undefined ? there.agentId : (await host.agents.get(given.agent)).id;
  return (
    there.agentId === agentId &&
    (given.workspace === undefined ? there.managed : !there.managed) &&
    (given.title ?? null) === there.title &&
    (given.permissionMode ?? null) === there.permissionMode
  );
}

export const sessionRoutes = [
  route({
    name: "listSessions",
    method: "GET",
    path: "/v1/sessions",
    calls: ["list"],
    summary: "Sessions, newest first",
    query: listQuery,
    replies: { 200: sessionList },
    run: async ({ query: { q, ...rest } }, { host }) =>
      json(await host.list({ ...rest, ...(q === undefined ? {} : { text: q }) })),
  }),
  route({
    name: "createSession",
    method: "POST",
    path: "/v1/sessions",
    calls: ["create"],
    summary: "Makes a session",
    headers: { "idempotency-key": "Becomes the session's own id when the body gives none; again: the same session." },
    body: newSession,
    replies: { 201: session, 200: session },
    run: (call, ports) => create(call.body, idempotencyKey(call), ports),
  }),
  route({
    name: "importSession",
    method: "POST",
    path: "/v1/sessions/import",
    calls: ["import"],
    summary: "A new session with what had ended in an exported one",
    body: importSource,
    size: "document",
    replies: { 201: session },
    run: async ({ body }, { host }) => json(await host.import(body), 201),
  }),
  route({
    name: "getSession",
    method: "GET",
    path: "/v1/sessions/:session",
    calls: ["get"],
    summary: "One session, by its id or your own",
    replies: { 200: session },
    run: async ({ params }, { host }) => json(await host.get(params.session)),
  }),
  route({
    name: "changeSession",
    method: "PATCH",
    path: "/v1/sessions/:session",
    calls: ["update"],
    summary: "Changes its title or permission mode",
    body: sessionPatch,
    replies: { 200: session },
    run: async ({ params, body }, { host }) => json(await host.update(params.session, body)),
  }),
  route({
    name: "removeSession",
    method: "DELETE",
    path: "/v1/sessions/:session",
    calls: ["remove"],
    summary: "Hides it now and stops its turn; removes it for ever after ten minutes",
    replies: { 204: null },
    run: async ({ params }, { host }) => {
      await host.remove(params.session);
      return done;
    },
  }),
  route({
    name: "restoreSession",
    method: "POST",
    path: "/v1/sessions/:session/restore",
    calls: ["restore"],
    summary: "Takes a removal back, within ten minutes",
    replies: { 200: session },
    run: async ({ params }, { host }) => json(await host.restore(params.session)),
  }),
  route({
    name: "forkSession",
    method: "POST",
    path: "/v1/sessions/:session/fork",
    calls: ["fork"],
    summary: "A new session with the conversation up to a message",
    body: fork,
    replies: { 201: session },
    run: async ({ params, body }, { host }) => json(await host.fork(params.session, body), 201),
  }),
  route({
    name: "exportSession",
    method: "GET",
    path: "/v1/sessions/:session/export",
    calls: ["export"],
    summary: "The whole session for an import, or the conversation for people",
    query: z.object({ format: z.enum(["json", "markdown"]).default("json") }),
    replies: { 200: { mediaType: "*/*", description: "`application/json`, or `text/markdown`" } },
    run: async ({ params, query: { format } }, { host }) => {
      const [mediaType, ending] =
        format === "json" ? ["application/json", "json"] : ["text/markdown; charset=utf-8", "md"];
      const { id } = await host.get(params.session);
      const headers = { "content-type": mediaType, "content-disposition": `attachment; filename="${id}.${ending}"` };
      return { kind: "content", status: 200, content: await host.export(params.session, format), headers };
    },
  }),
  route({
    name: "listTurns",
    method: "GET",
    path: "/v1/sessions/:session/turns",
    calls: ["turns"],
    summary: "Turns by their ids, and what each used",
    query: z.object({ ids: z.string().max(20_000).meta({ description: "Turn ids, with commas between." }) }),
    replies: { 200: turnReports },
    run: async ({ params, query: { ids } }, { host }) =>
      json({ items: await host.turns(params.session, ids.split(",")) }),
  }),
  route({
    name: "getUsage",
    method: "GET",
    path: "/v1/sessions/:session/usage",
    calls: ["usage"],
    summary: "What the session used",
    replies: { 200: usage },
    run: async ({ params }, { host }) => json(await host.usage(params.session)),
  }),
  route({
    name: "getContext",
    method: "GET",
    path: "/v1/sessions/:session/context",
    calls: ["context"],
    summary: "How full the agent's context is",
    replies: { 200: context },
    run: async ({ params }, { host }) => json({ usage: await host.context(params.session) }),
  }),
  route({
    name: "listTools",
    method: "GET",
    path: "/v1/sessions/:session/tools",
    calls: ["tools"],
    summary: "The tools its agent has",
    replies: { 200: toolList },
    run: async ({ params }, { host }) => json({ items: await host.tools(params.session) }),
  }),
] as const;
