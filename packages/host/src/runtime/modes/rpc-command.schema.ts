/** What a client of the rpc mode may ask, one object a line. Fields that are not known are left out. */
import { z } from "zod";

const id = z.union([z.string().max(256), z.number()]).optional();
const text = z.string();
const name = z.string().min(1);
const images = z
  .array(z.object({ type: z.literal("image"), data: text, mimeType: name }))
  .max(100)
  .optional();
const queueMode = z.enum(["all", "one-at-a-time"]);
const of = <T extends string, Shape extends z.ZodRawShape>(type: T, shape: Shape) =>
  z.object({ id, type: z.literal(type), ...shape });

export const rpcCommand = z.discriminatedUnion("type", [
  of("prompt", { message: text, images, streamingBehavior: z.enum(["steer", "followUp"]).optional() }),
  of("steer", { message: text, images }),
  of("follow_up", { message: text, images }),
  of("abort", {}),
  of("abort_retry", {}),
  of("clear_queue", {}),
  of("compact", { customInstructions: text.optional() }),
  of("new_session", { parentSession: name.optional() }),
  of("switch_session", { sessionPath: name, cwd: name.optional() }),
  of("fork", { entryId: name }),
  of("clone", {}),
  of("import_session", { path: name, cwd: name.optional() }),
  of("get_state", {}),
  of("get_messages", {}),
  of("get_entries", { since: name.optional() }),
  of("get_tree", {}),
  of("get_fork_messages", {}),
  of("get_last_assistant_text", {}),
  of("navigate_tree", { targetId: name, summarize: z.boolean().optional(), label: name.optional() }),
  of("set_label", { entryId: name, label: name.optional() }),
  of("set_session_name", { name }),
  of("export_jsonl", { branches: z.enum(["shown", "all"]).optional() }),
  of("get_commands", {}),
  of("get_available_models", {}),
  of("set_model", { provider: name, modelId: name }),
  of("set_thinking_level", { level: name }),
  of("set_steering_mode", { mode: queueMode }),
  of("set_follow_up_mode", { mode: queueMode }),
  of("answer_approval", {
    approvalId: name,
    decision: z.enum(["allow", "deny"]),
    input: z.unknown().optional(),
    reason: text.optional(),
  }),
  of("extension_ui_response", {
    value: text.optional(),
    confirmed: z.boolean().optional(),
    cancelled: z.boolean().optional(),
  }),
]);
export type RpcCommand = z.infer<typeof rpcCommand>;
export type RpcCommandType = RpcCommand["type"];
/** What an answer to a line that is no command can still name. */
export const rpcHead = z.object({ id, type: z.string().max(64).optional() });
