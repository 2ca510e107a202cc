import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi-document.ts";
import { routes } from "./routes/routes.ts";
import { testServer } from "./test-client.ts";

test("the description is valid OpenAPI 3.1 and describes every route and nothing else", async () => {
  const document = JSON.parse(JSON.stringify(await openApiDocument()));
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(document.openapi).toMatch(/^3\.1/);
  const described = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [method, path, operationId].join(" ")),
  );
  const known = routes.map(
    ({ method, path, name }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")} ${name}`,
  );
  expect(described.sort()).toEqual(known.sort());
});

test("it is served, to whoever has the token", async () => {
  const server = await testServer();
  const { json } = await server.send("GET", "/openapi.json");
  expect(json).toEqual(JSON.parse(JSON.stringify(await openApiDocument())));
  expect((await server.send("GET", "/openapi.json", { headers: { authorization: undefined } })).status).toBe(401);
  await server.end();
});
