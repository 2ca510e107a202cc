/** What a driver author imports: `@mooring/host/driver`. */
export type * from "../protocol/agent-events.ts";
export type * from "../protocol/chunks.ts";
export { MooringError, messageOf, ResumeFailed } from "../protocol/errors.ts";
export type { ApprovalId, InputId, TurnId } from "../protocol/ids.ts";
export type { Part } from "../protocol/input.ts";
export * from "../protocol/permission.ts";
export type * from "../protocol/usage.ts";
export type * from "./clock.ts";
export type * from "./driver.ts";
export { EventQueue } from "./event-queue.ts";
export type * from "./ids.ts";
export type * from "./log.ts";
export type * from "./processes.ts";
export type * from "./store.ts";
