/**
 * The public face of the scripted model. The HTTP server has an entry of its own, `@mooring/scripted-model/server`,
 * because that file is also a program.
 */
export type { Conversation, Message, OfferedTool, ToolCall, ToolResult } from "./conversation.ts";
export { ScriptedModelError, type ScriptedModelErrorCode } from "./errors.ts";
export { type KeyedFailure, type Plan, plan } from "./plan.ts";
export type { Sleep, Timing } from "./play.ts";
export type { LoggedRequest } from "./request-log.ts";
export { type Action, type Failure, type LiteralCall, parseScript, type Step, type TokenUsage } from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from "./scripted-model.ts";
