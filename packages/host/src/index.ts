/** What an embedder imports: `@mooring/host`. */
export type * from "./host/api.ts";
export { createHost } from "./host/create-host.ts";
export { keepAlive } from "./host/keep-alive.ts";
export { defaultLimits, type HostLimits } from "./host/limits.ts";
export { formatRule, parseRule } from "./host/permission/rule-notation.ts";
export { silentLog } from "./host/silent-log.ts";
export { systemClock } from "./host/system-clock.ts";
export { systemIds } from "./host/system-ids.ts";
export { formatCursor, parseCursor } from "./protocol/cursor.ts";
export { MooringError, messageOf, ResumeFailed, StoreRefused } from "./protocol/errors.ts";
export type * from "./protocol/events.ts";
export type * from "./protocol/ids.ts";
export type * from "./protocol/input.ts";
export * from "./protocol/permission.ts";
export type * from "./protocol/rows.ts";
