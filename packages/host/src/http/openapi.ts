/** The API's description (OpenAPI 3.1), made from the table of routes. */
import { Hono } from "hono";
import { type DescribeRouteOptions, describeRoute, generateSpecs, resolver } from "hono-openapi";
import { z } from "zod";
import { problemMediaType } from "./problem.ts";
import type { Content, Route } from "./routes/route.ts";
import { routes } from "./routes/routes.ts";
import { problem } from "./schemas/problem.ts";

export type OpenApiDocument = Awaited<ReturnType<typeof generateSpecs>>;

export function describeApi(): Promise<OpenApiDocument> {
  const app = new Hono();
  for (const route of routes) app.on(route.method, [route.path], describeRoute(specOf(route)), (c) => c.body(null));
  return generateSpecs(app, {
    documentation: {
      info: { title: "Mooring", version: "1", description: "Durable sessions with agents. Reads never change state." },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
  });
}

function specOf(route: Route): DescribeRouteOptions {
  const { name, summary, body, path } = route;
  return {
    operationId: name,
    summary,
    tags: [path.split("/")[2] ?? "host"],
    parameters: [...pathParameters(path), ...queryParameters(route.query), ...headerParameters(route.headers)],
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(route.replies).map(([status, content]) => [status, reply(content)])),
      default: {
        description: "A problem",
        content: { [problemMediaType]: { schema: resolver(problem) } },
      },
    },
  };
}
type Parameters = NonNullable<DescribeRouteOptions["parameters"]>;

const pathParameters = (path: string): Parameters =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
function queryParameters(query: z.ZodType | undefined): Parameters {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as { readonly description?: string };
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}
const headerParameters = (headers: Route["headers"] = {}): Parameters =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));

function requestBody(body: z.ZodType | "file"): NonNullable<DescribeRouteOptions["requestBody"]> {
  if (body === "file") return { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  return { required: true, content: { "application/json": { schema: resolver(body, { io: "input" }) } } };
}
function reply(content: Content) {
  if (content === null) return { description: "Done" };
  if (content instanceof z.ZodType)
    return { description: "Done", content: { "application/json": { schema: resolver(content) } } };
  const { mediaType, description, data } = content;
  const schema = data === undefined ? { type: "string" as const } : resolver(data);
  return { description, content: { [mediaType]: { schema } } };
}
