/** The API's description, made when somebody asks for it: what makes it is not loaded before. */
import type { OpenApiDocument } from "./openapi.ts";

let made: Promise<OpenApiDocument> | null = null;

/** The same for every host. */
export function openApiDocument(): Promise<OpenApiDocument> {
  made ??= import("./openapi.ts").then(({ describeApi }) => describeApi());
  return made;
}
