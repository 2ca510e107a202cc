/** Streams of events, and where they begin. */
import { z } from "zod";
import { hostEvent, sessionEvent, snapshot } from "../schemas/events.ts";
import { cursor } from "../schemas/values.ts";
import { writeWatch } from "../streams/watch-writer.ts";
import { json, route } from "./route.ts";

const eventsQuery = z.object({
  after: z
    .union([z.literal("snapshot"), cursor])
    .exactOptional()
    .meta({ description: "A cursor; `snapshot`: begin with one; absent: from now on." }),
});
const events = (data: z.ZodType, description: string) => ({ mediaType: "text/event-stream", data, description });

export const eventRoutes = [
  route({
    name: "getSnapshot",
    method: "GET",
    path: "/v1/sessions/:session/snapshot",
    calls: ["snapshot"],
    summary: "Everything a viewer begins with, at one place in the journal",
    replies: { 200: snapshot },
    run: async ({ params }, { host }) => json(await host.snapshot(params.session)),
  }),
  route({
    name: "streamSession",
    method: "GET",
    path: "/v1/sessions/:session/events",
    calls: ["writeBytes"],
    summary: "The session's events from a cursor on, without a gap and without an end",
    headers: { "last-event-id": "The cursor of the last event seen; wins over `after`, which is older." },
    query: eventsQuery,
    replies: {
      200: events(
        sessionEvent,
        "Server-sent events. `id` is the cursor, `event` the type; a comment when it is silent.",
      ),
    },
    run: async ({ params, query, header }, { host }) => {
      await host.get(params.session);
      const after = header("last-event-id") ?? (query.after === "snapshot" ? null : query.after);
      const from = after === undefined ? {} : { after };
      return { kind: "events", write: (sink, signal) => host.writeBytes(params.session, sink, { ...from, signal }) };
    },
  }),
  route({
    name: "streamHost",
    method: "GET",
    path: "/v1/events",
    calls: ["watch"],
    summary: "All sessions: a snapshot of the list, then what changes in it; begin again after a cut",
    replies: { 200: events(hostEvent, "Server-sent events without ids. `event` is the type.") },
    run: async (_, { host, clock, limits }) => ({
      kind: "events",
      write: (sink, signal) => writeWatch({ host, clock, limits }, sink, signal),
    }),
  }),
] as const;
