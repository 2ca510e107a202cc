/** Small values that many bodies have. */
import { z } from "zod";
import type { Part } from "../../protocol/input.ts";
import { permissionModes } from "../../protocol/permission.ts";
import { named } from "./named.ts";

export const id = z.string();
export const idOrNull = id.nullable();
export const textOrNull = z.string().nullable();
/** Milliseconds since 1970. */
export const time = z.int();
export const timeOrNull = time.nullable();
export const count = z.int().min(0);
export const permissionMode = named("PermissionMode", z.enum(permissionModes as ["plan", ...typeof permissionModes]));
export const outcome = z.enum(["completed", "failed", "stopped", "interrupted"]);
export const anyRecord = z.record(z.string(), z.unknown());

/** The shapes of all types of parts are the AI SDK's own; a client has them from there. */
const part = named(
  "Part",
  z.looseObject({ type: z.string() }),
  "A part of a message, as the AI SDK's `UIMessagePart`. A stored file is named by the URL `mooring:file/<id>`: read it at `/v1/files/<id>`.",
) as unknown as z.ZodType<Part>;
export const parts = z.array(part);

export const cursor = z
  .string()
  .max(200)
  .meta({ description: "A place in a session's journal, as events, snapshots and receipts carry it." });
