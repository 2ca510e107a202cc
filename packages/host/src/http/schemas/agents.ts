/** Agents, as they are given and as they are shown. */
import { z } from "zod";
import type { NewAgent } from "../../host/api.ts";
import type { AgentRow } from "../../protocol/rows.ts";
import { named } from "./named.ts";
import { agentRule } from "./permission.ts";
import { anyRecord, id, permissionMode, textOrNull, time } from "./values.ts";

const text = z.string();
const defaultDelivery = z.enum(["steer", "queue"]);
const queueAfter = z.enum(["hold", "run"]);
const unattended = z.enum(["deny", "wait"]);
const onInterrupted = z.enum(["wait", "continue"]);
const onResumeFailed = z.enum(["ask", "fresh", "fresh-with-transcript"]);
const provider = z.strictObject({
  kind: text.exactOptional(),
  baseUrl: text.exactOptional(),
  apiKeyEnv: text.exactOptional().meta({ description: "Name of the variable that holds the key on the host." }),
});
const newProvider = provider.extend({
  apiKey: text
    .exactOptional()
    .meta({ description: "Kept in the host's secrets file; never shown again.", writeOnly: true }),
});

export const newAgent = named(
  "NewAgent",
  z.strictObject({
    name: text,
    driver: text,
    model: text.exactOptional(),
    effort: text.exactOptional(),
    instructions: text.exactOptional(),
    permissionMode: permissionMode.exactOptional(),
    provider: newProvider.exactOptional(),
    mcpServers: anyRecord.exactOptional(),
    disabledTools: z.array(text).exactOptional(),
    rules: z.array(agentRule).exactOptional(),
    alwaysAsk: z.array(text).exactOptional(),
    unattended: unattended.exactOptional(),
    defaultDelivery: defaultDelivery.exactOptional(),
    queueAfter: queueAfter.exactOptional(),
    onInterrupted: onInterrupted.exactOptional(),
    onResumeFailed: onResumeFailed.exactOptional(),
    driverOptions: anyRecord.exactOptional(),
  }) satisfies z.ZodType<NewAgent>,
);
export const agentPatch = named(
  "AgentPatch",
  newAgent.extend({ name: text.exactOptional(), driver: text.exactOptional() }) satisfies z.ZodType<Partial<NewAgent>>,
);
export const agent = named(
  "Agent",
  z.object({
    id,
    name: text,
    driver: text,
    model: textOrNull,
    effort: textOrNull,
    instructions: textOrNull,
    permissionMode,
    provider,
    mcpServers: anyRecord,
    disabledTools: z.array(text),
    rules: z.array(agentRule),
    alwaysAsk: z.array(text),
    unattended,
    defaultDelivery,
    queueAfter,
    onInterrupted,
    onResumeFailed,
    driverOptions: anyRecord,
    revision: z.int(),
    createdAt: time,
    updatedAt: time,
  }) satisfies z.ZodType<AgentRow>,
);
export const agentList = named("AgentList", z.object({ items: z.array(agent) }));
export const defaultAgent = named("DefaultAgent", z.object({ agent: agent.nullable() }));
export const newDefaultAgent = named(
  "NewDefaultAgent",
  z.strictObject({ agent: text.meta({ description: "Id or name." }) }),
);
