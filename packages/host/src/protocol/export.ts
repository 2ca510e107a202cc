/** A session as a document: what `export` writes and `import` reads. It carries no secret, no resume token, no anchor. */
import type { ApprovalRow, InputRow, MessageRow, SessionRow, TurnRow, UsageRow } from "./rows.ts";

export const sessionFormat = "mooring-session";
/** Rises when a reader of the old one would misunderstand the new one. */
export const sessionFormatVersion = 1;

export type ExportedSession = Omit<SessionRow, "resumeToken" | "compacting" | "removedAt"> & {
  /** Empty when the agent was removed. */
  readonly agentName: string;
};
export type ExportedMessage = Omit<MessageRow, "resumeToken" | "anchor">;

/** Every list in the order its rows were stored: a message comes after its parent. Ids are those of the host it is from. */
export type SessionDocument = {
  readonly format: typeof sessionFormat;
  readonly version: typeof sessionFormatVersion;
  readonly session: ExportedSession;
  /** The whole tree, with entries and flows. An open message comes as far as it was written. */
  readonly messages: readonly ExportedMessage[];
  readonly inputs: readonly InputRow[];
  readonly turns: readonly TurnRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly usage: readonly UsageRow[];
};
