/** What a server imports: `@mooring/host/http`. */
export type { Auth, Principal } from "./auth/authenticate.ts";
export { createHandler, type Handler, type HandlerOptions } from "./create-handler.ts";
export { defaultHttpLimits, type HttpLimits } from "./limits.ts";
export type { OpenApiDocument } from "./openapi.ts";
export { openApiDocument } from "./openapi-document.ts";
