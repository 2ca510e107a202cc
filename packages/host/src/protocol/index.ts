/** What a viewer needs to read sessions, in the browser too: the wire types, and the fold from chunks to a message. */
export type * from "./chunks.ts";
export type * from "./events.ts";
export { type Fold, foldChunk, snapshot, startFold } from "./fold.ts";
export type * from "./ids.ts";
export type * from "./input.ts";
export type * from "./permission.ts";
export type * from "./rows.ts";
export type * from "./usage.ts";
