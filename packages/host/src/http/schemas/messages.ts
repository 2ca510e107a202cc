/** Messages as they are stored, and pages of them. */
import { z } from "zod";
import type { MessagePage } from "../../ports/store.ts";
import type { StoredMessage } from "../../protocol/events.ts";
import { named } from "./named.ts";
import { id, idOrNull, outcome, parts, time } from "./values.ts";

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
