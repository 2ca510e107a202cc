/** What a program or a page imports: `@mooring/client`. */
export type { Fetch, Schemas } from "./calls/api.ts";
export type { DeliveredEvent, EventsOptions } from "./calls/event-calls.ts";
export type { NewFile, UsageQuery } from "./calls/host-calls.ts";
export type { SessionQuery } from "./calls/session-calls.ts";
export { type ClientOptions, createClient, type MooringClient } from "./create-client.ts";
export { ProblemError, type Retry } from "./problem-error.ts";
export type { Loss } from "./streams/follow-stream.ts";
