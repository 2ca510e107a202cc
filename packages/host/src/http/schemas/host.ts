/** The host itself: its drivers, files, directories, work and pauses. */
import { z } from "zod";
import type { Directories, DriverInfo, Work } from "../../host/api.ts";
import type { ContextUsage, ToolInfo } from "../../ports/driver.ts";
import type { FileRow } from "../../protocol/rows.ts";
import { named } from "./named.ts";
import { toolCategory } from "./permission.ts";
import { count, id, textOrNull, time } from "./values.ts";

const text = z.string();
const driver = named(
  "Driver",
  z.object({
    type: text,
    readiness: z.object({
      found: z.boolean(),
      version: textOrNull,
      credentials: z.enum(["ok", "missing", "not-needed"]),
      problem: textOrNull,
      fix: textOrNull,
    }),
  }) satisfies z.ZodType<DriverInfo>,
);
export const driverList = named("DriverList", z.object({ items: z.array(driver) }));

export const file = named(
  "File",
  z.object({
    id,
    hash: text,
    name: textOrNull,
    mediaType: text,
    size: count,
    createdAt: time,
    url: text.meta({ description: "Names it in the parts of a message." }),
  }) satisfies z.ZodType<FileRow>,
);
export const directories = named(
  "Directories",
  z.object({
    path: textOrNull,
    directories: z.array(z.object({ name: text, path: text })),
    more: z.boolean(),
  }) satisfies z.ZodType<Directories>,
);
const work = named(
  "Work",
  z.object({
    sessionId: id,
    kind: z.enum(["turn", "waiting-turn", "start", "saving", "flow", "closing", "background"]),
    turnId: id.exactOptional(),
    since: z.number(),
  }) satisfies z.ZodType<Work>,
);
export const workList = named(
  "WorkList",
  z.object({ items: z.array(work), holds: z.array(text).meta({ description: "Pauses asked for over HTTP." }) }),
);
/** Characters. */
const reason = text.regex(/^[\w .:-]{1,100}$/, "use 1 to 100 letters, digits, spaces, dots, colons and dashes");
export const pause = named("Pause", z.strictObject({ reason }));
export const drain = (longestMs: number) =>
  named("Drain", z.strictObject({ timeoutMs: z.int().min(0).max(longestMs) }));
export const drained = named("Drained", z.object({ stragglerIds: z.array(id) }));
export const newBackup = named(
  "NewBackup",
  z.strictObject({
    name: text
      .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/, "use letters, digits, dots, dashes and underscores")
      .exactOptional()
      .meta({ description: "Of the directory that is made among the host's backups; absent: the time." }),
  }),
);
export const backup = named("Backup", z.object({ path: text }));

const tool = named(
  "Tool",
  z.object({
    name: text,
    description: text,
    category: toolCategory,
  }) satisfies z.ZodType<ToolInfo>,
);
export const toolList = named("ToolList", z.object({ items: z.array(tool) }));
const contextUsage = z.object({
  used: z.number(),
  window: z.number(),
  categories: z.unknown().exactOptional(),
}) satisfies z.ZodType<ContextUsage>;
export const context = named("Context", z.object({ usage: contextUsage.nullable() }));
