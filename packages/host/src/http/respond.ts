/** A route's answer as a response, and a request as its call. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { bytesOf, jsonOf } from "./body.ts";
import { checked } from "./check.ts";
import type { GateContext } from "./gates/gate.ts";
import { httpError } from "./problem.ts";
import type { Answer, Call, FileBody, Route, RoutePorts } from "./routes/route.ts";
import { answerEvents } from "./streams/answer-events.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

export async function answerRoute(
  c: GateContext,
  route: Route,
  ports: RoutePorts,
  streams: OpenStreams,
): Promise<Response> {
  return respond(c, await route.run(await callOf(c, route, ports), ports), streams);
}

async function callOf(c: GateContext, route: Route, { limits }: RoutePorts): Promise<Call<string, unknown, unknown>> {
  const { query } = route;
  return {
    params: c.req.param(),
    query: query === undefined ? {} : checked(query, c.req.query(), "query", limits.problemFields),
    body: await bodyOf(c, route, limits),
    by: c.get("principal").name,
    header: (name) => c.req.header(name),
  };
}
function bodyOf(c: GateContext, { body }: Route, limits: RoutePorts["limits"]): Promise<unknown> {
  if (body === undefined) return Promise.resolve(undefined);
  if (body === "file") return fileOf(c);
  return jsonOf(c.req.raw, limits).then((value) => checked(body, value, "body", limits.problemFields));
}
async function fileOf(c: GateContext): Promise<FileBody> {
  const mediaType = c.req.header("content-type");
  if (mediaType === undefined)
    throw httpError("unsupported-media-type", "Say what the file is, with a header like `content-type: image/png`.");
  return { mediaType, bytes: await bytesOf(c.req.raw) };
}

function respond(c: GateContext, answer: Answer, streams: OpenStreams): Response | Promise<Response> {
  switch (answer.kind) {
    case "json":
      return c.body(JSON.stringify(answer.value), answer.status as ContentfulStatusCode, {
        "content-type": "application/json",
      });
    case "empty":
      return c.body(null, answer.status, answer.headers);
    case "content":
      return c.body(answer.content as string | Uint8Array<ArrayBuffer>, answer.status as ContentfulStatusCode, {
        ...answer.headers,
      });
    case "events":
      return answerEvents(c, answer.write, streams);
  }
}
