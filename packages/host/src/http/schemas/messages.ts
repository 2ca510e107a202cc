/** Messages as they are stored, and pages of them. */
import { z } from "zod";
import type { SessionTree } from "../../host/api.ts";
import type { MessagePage } from "../../ports/store.ts";
import type { StoredMessage } from "../../protocol/events.ts";
import { named } from "./named.ts";
import { id, idOrNull, outcome, parts, textOrNull, time, timeOrNull } from "./values.ts";

export const message = named(
  "Message",
  z.object({
    id,
    role: z.enum(["system", "user", "assistant"]),
    metadata: z.unknown().exactOptional(),
    parts,
    parentId: idOrNull,
    status: z.enum(["open", ...outcome.options]),
    turnId: idOrNull,
    inputId: idOrNull,
    createdAt: time,
  }) satisfies z.ZodType<StoredMessage>,
);
export const messagePage = named(
  "MessagePage",
  z.object({ messages: z.array(message), older: idOrNull }) satisfies z.ZodType<MessagePage>,
);
/** An open message has no parts: they are in its events. */
const treeRow = named(
  "TreeRow",
  z.object({
    id,
    parentId: idOrNull,
    kind: z.enum(["message", "entry", "flow"]),
    role: z.enum(["user", "assistant", "system"]),
    status: z.enum(["open", ...outcome.options]),
    ordinal: z.int().nullable(),
    turnId: idOrNull,
    inputId: idOrNull,
    parts,
    metadata: z.unknown(),
    model: textOrNull,
    author: textOrNull,
    originId: idOrNull,
    label: textOrNull,
    timing: z.unknown(),
    createdAt: time,
    closedAt: timeOrNull,
  }) satisfies z.ZodType<SessionTree["rows"][number]>,
);
export const tree = named(
  "SessionTree",
  z.object({ leaf: idOrNull, rows: z.array(treeRow) }) satisfies z.ZodType<SessionTree>,
);
