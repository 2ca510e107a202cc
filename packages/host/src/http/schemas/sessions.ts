/** Sessions and what is made of them. */
import { z } from "zod";
import type { Fork, ImportSource, NewSession, SessionView } from "../../host/api.ts";
import type { SessionListRow } from "../../ports/store.ts";
import type { SessionRow } from "../../protocol/rows.ts";
import { named } from "./named.ts";
import { count, id, idOrNull, outcome, permissionMode, textOrNull, time, timeOrNull } from "./values.ts";

const text = z.string();
const sessionFields = {
  id,
  agentId: id,
  workspace: text,
  managed: z.boolean(),
  title: textOrNull,
  externalId: idOrNull,
  permissionMode: permissionMode.nullable(),
  parentId: idOrNull,
  leaf: idOrNull,
  driver: text,
  resumeToken: textOrNull,
  compacting: z.boolean(),
  createdAt: time,
  updatedAt: time,
  removedAt: timeOrNull,
};
export const sessionRow = named("SessionRow", z.object(sessionFields) satisfies z.ZodType<SessionRow>);
export const session = named(
  "Session",
  z.object({
    ...sessionFields,
    agentName: text,
    state: z.enum(["idle", "busy", "waiting", "held", "unavailable"]),
    turn: z.object({ id, status: z.enum(["open", "waiting"]) }).nullable(),
  }) satisfies z.ZodType<SessionView>,
);
export const sessionListItem = named(
  "SessionListItem",
  z.object({
    ...sessionFields,
    turn: z.enum(["open", "waiting"]).nullable(),
    lastOutcome: outcome.nullable(),
    waitingInputs: count,
    openApprovals: count,
  }) satisfies z.ZodType<SessionListRow>,
);
export const sessionList = named("SessionList", z.object({ items: z.array(sessionListItem), next: textOrNull }));

const made = {
  agent: text.exactOptional().meta({ description: "Id or name; absent: the default agent." }),
  workspace: text.exactOptional().meta({ description: "A directory inside an allowed root; absent: one is made." }),
  id: text.exactOptional().meta({ description: "An id of your own, accepted wherever a session id is." }),
  title: text.exactOptional(),
};
export const newSession = named(
  "NewSession",
  z.strictObject({ ...made, permissionMode: permissionMode.exactOptional() }) satisfies z.ZodType<NewSession>,
);
export const sessionPatch = named(
  "SessionPatch",
  z.strictObject({
    title: text.exactOptional(),
    permissionMode: permissionMode.nullable().exactOptional().meta({ description: "null: the agent's." }),
  }),
);
export const importSource = named(
  "ImportSource",
  z.strictObject({
    ...made,
    document: text.meta({ description: "The text of a `json` export." }),
  }) satisfies z.ZodType<ImportSource>,
);
export const fork = named(
  "Fork",
  z.strictObject({
    messageId: id.exactOptional(),
    position: z.enum(["before", "at"]).exactOptional(),
    seed: z.literal("transcript").exactOptional(),
  }) satisfies z.ZodType<Fork>,
);
export const resumeChoice = named(
  "ResumeChoice",
  z.strictObject({ choice: z.enum(["retry", "fresh", "fresh-with-transcript"]) }),
);
export const compaction = named("CompactionWish", z.strictObject({ text: text.exactOptional() }));
