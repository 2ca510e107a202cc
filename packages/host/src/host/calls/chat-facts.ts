/** What a chat client's ids name in one session: read from the rows, never from memory. */
import type { PlacedRow } from "../../ports/store.ts";
import { formatCursor } from "../../protocol/cursor.ts";
import type { StoredMessage } from "../../protocol/events.ts";
import type { SessionNo } from "../../protocol/ids.ts";
import type { InputRow, MessageRow } from "../../protocol/rows.ts";
import type { ChatFacts, PlacedMessage } from "../api.ts";
import type { HostContext } from "../host-context.ts";
import type { Sessions } from "../sessions/sessions.ts";

export function chatFacts({ store }: HostContext, sessions: Sessions, id: string): ChatFacts {
  const { query } = store;
  const number = async (): Promise<SessionNo> => (await sessions.find(id)).no;
  const placed = async (no: SessionNo, found: PlacedRow | null): Promise<PlacedMessage | null> => {
    if (found === null) return null;
    const { row, opened } = found;
    const before = opened - 1;
    return {
      message: messageOf(row),
      turn: row.turnId === null ? null : await query.turn(no, row.turnId),
      cursor:
        before < (await store.bounds(no)).horizon ? null : formatCursor({ store: store.id, session: no, seq: before }),
    };
  };
  return {
    input: async (clientId) => {
      const no = await number();
      return (await query.clientInput(no, clientId)) ?? (await query.input(no, clientId));
    },
    message: async (message) => {
      const no = await number();
      return placed(no, await query.placed(no, message));
    },
    approval: async (approval) => {
      const [{ row }, found] = await Promise.all([sessions.find(id), query.approval(approval)]);
      return found?.sessionId === row.id ? found : null;
    },
    reply: async (inputId) => {
      const no = await number();
      const input = await query.input(no, inputId);
      if (!input?.turnId || !hasBegun(input)) return null;
      return placed(no, await query.reply(no, input.turnId, input.messageId));
    },
  };
}
/** Its user message is on the branch. One that was offered names the turn before it is. */
const hasBegun = ({ messageId, input }: InputRow): boolean => messageId !== null || input.branch?.position === "at";

function messageOf(row: MessageRow): StoredMessage {
  const { id, role, parts, metadata, parentId, status, turnId, inputId, createdAt } = row;
  const said = metadata === null || metadata === undefined ? {} : { metadata };
  return { id, role, parts, ...said, parentId, status, turnId, inputId, createdAt };
}
