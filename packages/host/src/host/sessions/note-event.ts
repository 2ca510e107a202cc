/** What people see of an agent's note. Notes that only change rows have no event. */
import type { AgentNote } from "../../protocol/agent-events.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import type { SessionId, TurnId } from "../../protocol/ids.ts";
import { type PermissionMode, permissionModes } from "../../protocol/permission.ts";

export function noteEvent(sessionId: SessionId, turnId: TurnId | undefined, note: AgentNote): SessionEvent | null {
  const turn = turnId === undefined ? {} : { turnId };
  switch (note.kind) {
    case "retry": {
      const { attempt, maxAttempts, delayMs, status, message } = note;
      return { type: "retry", sessionId, ...turn, attempt, maxAttempts, delayMs, status, message };
    }
    case "notice":
      return { type: "notice", sessionId, ...turn, level: note.level, code: note.code, text: note.text };
    case "context":
      return { type: "context", sessionId, usage: note.usage };
    case "background":
      return { type: "background.changed", sessionId, data: note.data };
    case "commands":
      return { type: "session.changed", sessionId, change: { commands: note.commands } };
    case "title":
      return { type: "session.changed", sessionId, change: { title: note.title } };
    case "config":
      return { type: "session.changed", sessionId, change: configChange(note.model, modeOf(note.permissionMode)) };
    case "tool-timing":
      return null;
  }
}
const configChange = (model: string | null, mode: PermissionMode | null) => ({
  ...(model === null ? {} : { model }),
  ...(mode === null ? {} : { permissionMode: mode }),
});
/** Null for a mode we do not know: an agent may have more of them. */
export const modeOf = (mode: string | null): PermissionMode | null =>
  permissionModes.find((known) => known === mode) ?? null;
