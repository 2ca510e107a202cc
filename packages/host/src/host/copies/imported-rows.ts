/**
 * A checked document as the first writes of a session. Invariants: every id is new and `originId` names the old one; what
 * had not ended stays behind, and what referred to it refers to what came before it, or to nothing; a message that is
 * closed has no part that still waits for something. Requests of models keep their ids: they were paid for once.
 */
import type { Ids } from "../../ports/ids.ts";
import type { Write } from "../../ports/store.ts";
import type { ExportedMessage } from "../../protocol/export.ts";
import type { MessageId, SessionId } from "../../protocol/ids.ts";
import { endedInputStates } from "../../protocol/input.ts";
import type { ApprovalRow, InputRow, MessageRow, TurnRow } from "../../protocol/rows.ts";
import { copiedMetadata } from "./branch-copy.ts";
import { endedPart } from "./ended-part.ts";
import type { ImportedDocument } from "./read-document.ts";

export type ImportedRows = {
  readonly leaf: MessageId | null;
  readonly writes: readonly Write[];
};
/** New ids by old ones. An open message has that of the nearest closed one above it, or null. */
type Names = {
  readonly messages: ReadonlyMap<string, MessageId | null>;
  readonly inputs: ReadonlyMap<string, string>;
  readonly turns: ReadonlyMap<string, string>;
};
const isOver = {
  input: ({ state }: InputRow): boolean => endedInputStates.includes(state),
  turn: ({ status }: TurnRow): boolean => status !== "open" && status !== "waiting",
  approval: ({ how }: ApprovalRow): boolean => how !== null,
  message: ({ status }: ExportedMessage): boolean => status !== "open",
};

export function importedRows(document: ImportedDocument, sessionId: SessionId, ids: Ids): ImportedRows {
  const { session, messages, inputs, turns, approvals, usage } = document;
  const names: Names = {
    messages: messageNames(messages, ids),
    inputs: new Map(inputs.filter(isOver.input).map(({ id }) => [id, ids.make("inp")])),
    turns: new Map(turns.filter(isOver.turn).map(({ id }) => [id, ids.make("trn")])),
  };
  const writes: readonly Write[] = [
    ...inputs.flatMap((row) => inputWrite(row, names)),
    ...turns.flatMap((row) => turnWrite(row, names)),
    ...messages.filter(isOver.message).map((row): Write => ({ write: "message", row: messageRow(row, names) })),
    ...approvals.filter(isOver.approval).map((row): Write => {
      const moved = {
        id: ids.make("apr"),
        sessionId,
        ...refersTo(row, names),
        closedAt: row.closedAt ?? row.createdAt,
      };
      return { write: "approval", row: { ...row, ...moved } };
    }),
    ...usage.map((row): Write => ({ write: "usage", row: { ...row, sessionId, ...refersTo(row, names) } })),
  ];
  return { leaf: nameIn(names.messages, session.leaf), writes };
}

function messageNames(messages: readonly ExportedMessage[], ids: Ids): Names["messages"] {
  const names = new Map<string, MessageId | null>();
  for (const row of messages) names.set(row.id, isOver.message(row) ? ids.make("msg") : nameIn(names, row.parentId));
  return names;
}
const nameIn = <Name>(names: ReadonlyMap<string, Name>, old: string | null): Name | null =>
  old === null ? null : (names.get(old) ?? null);
const refersTo = (
  { turnId, messageId }: { readonly turnId: string | null; readonly messageId: string | null },
  names: Names,
) => ({ turnId: nameIn(names.turns, turnId), messageId: nameIn(names.messages, messageId) });

function inputWrite(row: InputRow, names: Names): readonly Write[] {
  const id = names.inputs.get(row.id);
  if (id === undefined) return [];
  const messageId = nameIn(names.messages, row.input.branch?.messageId ?? null);
  const branch = row.input.branch === null || messageId === null ? null : { ...row.input.branch, messageId };
  const moved = { id, input: { ...row.input, id, branch }, position: null, ...refersTo(row, names) };
  return [{ write: "input", row: { ...row, ...moved } }];
}
function turnWrite(row: TurnRow, names: Names): readonly Write[] {
  const id = names.turns.get(row.id);
  if (id === undefined) return [];
  const moved = { id, inputId: nameIn(names.inputs, row.inputId), endedAt: row.endedAt ?? row.startedAt };
  return [{ write: "turn", row: { ...row, ...moved } }];
}
function messageRow(row: ExportedMessage, names: Names): MessageRow {
  const inputId = nameIn(names.inputs, row.inputId);
  return {
    ...row,
    id: names.messages.get(row.id) ?? row.id,
    parentId: nameIn(names.messages, row.parentId),
    originId: row.id,
    turnId: nameIn(names.turns, row.turnId),
    inputId,
    parts: row.kind === "entry" ? row.parts : row.parts.map(endedPart),
    metadata: copiedMetadata(row, names.messages, inputId),
    closedAt: row.closedAt ?? row.createdAt,
    resumeToken: null,
    anchor: null,
  };
}
