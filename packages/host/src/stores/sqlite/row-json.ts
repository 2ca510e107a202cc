/** Stored rows as JSON text, composed: stored JSON goes in as it is, unparsed. */
import {
  agentColumns,
  approvalColumns,
  fileColumns,
  inputColumns,
  type Kind,
  messageColumns,
  processColumns,
  ruleColumns,
  type SqlRow,
  sessionColumns,
  turnColumns,
} from "./columns.ts";

/** A row whose columns have the names of its properties. */
export type RowJson = (row: SqlRow) => string;

export function rowJson(columns: Readonly<Record<string, Kind>>): RowJson {
  const members = Object.entries(columns).map(([property, kind], at) => ({
    property,
    kind,
    lead: `${at === 0 ? "{" : ","}${JSON.stringify(property)}:`,
  }));
  return (row) => {
    let text = "";
    for (const { property, kind, lead } of members) text += lead + valueJson(kind, row[property]);
    return `${text}}`;
  };
}

function valueJson(kind: Kind, value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return kind === "bool" ? String(value === 1) : String(value);
  return kind === "json" ? String(value) : JSON.stringify(value);
}

export const listJson = (json: RowJson, rows: readonly SqlRow[]): string => `[${rows.map(json).join(",")}]`;
export const oneJson = (json: RowJson, row: SqlRow | undefined): string => (row ? json(row) : "null");

export const agentJson = rowJson(agentColumns);
export const sessionJson = rowJson(sessionColumns);
export const inputJson = rowJson(inputColumns);
export const turnJson = rowJson(turnColumns);
export const messageJson = rowJson(messageColumns);
export const ruleJson = rowJson(ruleColumns);
export const fileJson = rowJson(fileColumns);
export const processJson = rowJson(processColumns);
export const approvalJson = rowJson({ ...approvalColumns, sessionId: "plain" });
