/**
 * Which column holds which property of a stored row, and how. Invariant: every property of a row type is named here, or
 * it does not compile; the schema (`migrations.ts`) has these columns under their `snake_case` names.
 */
import type { RuleRow } from "../../protocol/permission.ts";
import type {
  AgentRow,
  ApprovalRow,
  FileRow,
  InputRow,
  MessageRow,
  ProcessRow,
  SessionRow,
  TurnRow,
} from "../../protocol/rows.ts";

/** `plain`: text or number as it is. `bool`: 0 or 1. `json`: text; null for null and undefined. */
export type Kind = "plain" | "bool" | "json";
export type Columns<Row> = { readonly [Property in keyof Row]-?: Kind };
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export const agentColumns: Columns<AgentRow> = {
  id: "plain",
  name: "plain",
  driver: "plain",
  model: "plain",
  effort: "plain",
  instructions: "plain",
  permissionMode: "plain",
  provider: "json",
  mcpServers: "json",
  disabledTools: "json",
  rules: "json",
  alwaysAsk: "json",
  unattended: "plain",
  defaultDelivery: "plain",
  queueAfter: "plain",
  onInterrupted: "plain",
  onResumeFailed: "plain",
  driverOptions: "json",
  revision: "plain",
  createdAt: "plain",
  updatedAt: "plain",
};
export const sessionColumns: Columns<SessionRow> = {
  id: "plain",
  agentId: "plain",
  workspace: "plain",
  managed: "bool",
  title: "plain",
  externalId: "plain",
  permissionMode: "plain",
  parentId: "plain",
  leaf: "plain",
  driver: "plain",
  resumeToken: "plain",
  compacting: "bool",
  createdAt: "plain",
  updatedAt: "plain",
  removedAt: "plain",
};
export const inputColumns: Columns<InputRow> = {
  id: "plain",
  state: "plain",
  reason: "plain",
  turnId: "plain",
  messageId: "plain",
  position: "plain",
  bodyHash: "plain",
  createdAt: "plain",
  updatedAt: "plain",
  input: "json",
};
export const turnColumns: Columns<TurnRow> = {
  id: "plain",
  no: "plain",
  origin: "plain",
  inputId: "plain",
  status: "plain",
  reason: "plain",
  message: "plain",
  model: "plain",
  startedAt: "plain",
  endedAt: "plain",
};
export const messageColumns: Columns<MessageRow> = {
  id: "plain",
  parentId: "plain",
  kind: "plain",
  role: "plain",
  status: "plain",
  ordinal: "plain",
  turnId: "plain",
  inputId: "plain",
  model: "plain",
  author: "plain",
  resumeToken: "plain",
  anchor: "plain",
  originId: "plain",
  label: "plain",
  createdAt: "plain",
  closedAt: "plain",
  timing: "json",
  metadata: "json",
  parts: "json",
};
/** The session is a number there; its id is joined when read. */
export const approvalColumns: Columns<Omit<ApprovalRow, "sessionId">> = {
  id: "plain",
  turnId: "plain",
  messageId: "plain",
  toolCallId: "plain",
  toolName: "plain",
  durable: "bool",
  how: "plain",
  createdAt: "plain",
  closedAt: "plain",
  answer: "json",
  asked: "json",
  input: "json",
};
export const ruleColumns: Columns<RuleRow> = {
  id: "plain",
  scope: "plain",
  sessionId: "plain",
  agentId: "plain",
  effect: "plain",
  tool: "plain",
  pattern: "plain",
  approvalId: "plain",
  createdAt: "plain",
  by: "plain",
};
export const fileColumns: Columns<FileRow> = {
  id: "plain",
  hash: "plain",
  name: "plain",
  mediaType: "plain",
  size: "plain",
  createdAt: "plain",
};
export const processColumns: Columns<ProcessRow> = {
  pid: "plain",
  startTime: "plain",
  purpose: "plain",
  sessionId: "plain",
  hostPid: "plain",
  startedAt: "plain",
};

export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `t.parent_id AS parentId, …` */
export const selectList = (columns: Readonly<Record<string, Kind>>, table: string): string =>
  Object.keys(columns)
    .map((property) => `${table}.${columnName(property)} AS ${property}`)
    .join(", ");

export function toSql(kind: Kind, value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (kind === "json") return JSON.stringify(value) ?? null;
  if (kind === "bool") return value === true ? 1 : 0;
  return typeof value === "number" ? value : String(value);
}

/** The values of a row in the order of its columns. */
export const valuesOf = <Row extends object>(columns: Columns<Row>, row: Row): SqlValue[] =>
  propertiesOf(columns).map((property) => toSql(columns[property], row[property]));

export const propertiesOf = <Row extends object>(columns: Columns<Row>): (keyof Row & string)[] =>
  Object.keys(columns) as (keyof Row & string)[];
