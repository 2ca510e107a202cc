/** For each phase: what shows that the host is in it, how long after that it is killed, and what proves a hit. */
import type { LoggedRequest } from "@mooring/scripted-model";
import { type Evidence, said } from "./checker/evidence.ts";
import { partsFrom } from "./checker/journal-rules.ts";
import type { Stored } from "./checker/stored.ts";
import type { Line } from "./line.ts";
import type { Phase } from "./order.ts";
import { migrationName } from "./program/migration.ts";

/** The moment from which a kill is counted: something the child said, or a request to the model. */
export type Mark =
  | { readonly line: (line: Line) => boolean }
  | { readonly request: (request: LoggedRequest) => boolean };
export type Plan = {
  readonly mark: Mark;
  /** The host that recovers is killed as well, counted from this. */
  readonly again?: Mark;
  /** Milliseconds after the mark within which the host is killed; 40 when not given. */
  readonly withinMs?: number;
  /** Where in the phase it was, from what the kill left before anything is repaired; null: it missed. */
  readonly hit: (left: Evidence) => string | null;
};

const marksEvent =
  (type: string) =>
  (line: Line): boolean =>
    line.say === "event" && line.event.type === type;
const marksChunk =
  (type: string, text = "") =>
  (line: Line): boolean =>
    line.say === "event" &&
    line.event.type === "chunk" &&
    line.event.chunk.type === type &&
    JSON.stringify(line.event.chunk).includes(text);
const marksNewest =
  (inputId: string) =>
  ({ prompt }: LoggedRequest): boolean => {
    const newest = prompt.at(-1);
    return newest?.role === "user" && newest.text.includes(inputId);
  };

const turnIs = ({ turns }: Stored, status: string): boolean => turns.some((turn) => turn.status === status);
const stateOf = ({ inputs }: Stored, id: string): string | undefined => inputs.find((input) => input.id === id)?.state;

/** What the journal holds of the open messages. */
function openText({ messages, segments }: Stored): string {
  const items = segments.flatMap((segment) => segment.items);
  const open = messages.filter(({ status }) => status === "open");
  return JSON.stringify(open.map((message) => partsFrom(items, message)));
}

export const plans: { readonly [P in Phase]: Plan } = {
  start: {
    mark: { line: marksEvent("input.accepted") },
    hit: ({ stored, requests }) => (turnIs(stored, "open") && requests.length === 0 ? "not sent" : null),
  },
  tool: {
    mark: { line: marksChunk("tool-input-available") },
    hit({ stored, side }) {
      if (!openText(stored).includes('"input-available"')) return null;
      if (stored.pids.length === 0) return "not recorded";
      return side.length === 0 ? "recorded" : "at work";
    },
  },
  steer: {
    mark: { line: (line) => line.say === "ack" && line.disposition === "offered" },
    hit: ({ stored }) => (turnIs(stored, "open") && stateOf(stored, "inp_steer") === "offered" ? "offered" : null),
  },
  roll: {
    mark: { request: marksNewest("inp_steer") },
    withinMs: 100, // until the answer to the steer begins
    // Either side of the commit: the model has the steer, and the turn goes on.
    hit({ stored }) {
      const state = stateOf(stored, "inp_steer");
      return turnIs(stored, "open") && (state === "offered" || state === "taken") ? state : null;
    },
  },
  settle: {
    // The word before the last: what follows is quicker than news of it.
    mark: { line: marksChunk("text-delta", "w7") },
    hit: ({ stored }) => (turnIs(stored, "open") && openText(stored).includes("END") ? "all said, not closed" : null),
  },
  approval: {
    mark: { line: marksEvent("approval.requested") },
    hit({ stored }) {
      if (!stored.approvals.some(({ how }) => how === null)) return null;
      return turnIs(stored, "waiting") ? "waiting" : "asked";
    },
  },
  answer: {
    mark: { line: marksEvent("approval.closed") },
    hit: ({ stored, side }) => (!turnIs(stored, "open") ? null : side.length === 0 ? "not run" : "run"),
  },
  migration: {
    mark: { line: (line) => line.say === "migrating" },
    hit: ({ stored }) => (stored.migrations.includes(migrationName) ? null : "in it"),
  },
  recovery: {
    mark: { line: (line) => line.say === "ack" && line.disposition === "offered" },
    again: { line: (line) => line.say === "opened" },
    withinMs: 150,
    hit({ stored, lines }) {
      if (said(lines, "opened").length === said(lines, "recovered").length) return null;
      return turnIs(stored, "open") ? "before the repair" : "after it";
    },
  },
  fold: {
    mark: { line: (line) => line.say === "fold-begun" },
    hit({ stored, lines }) {
      if (said(lines, "fold-begun").length === said(lines, "fold-done").length) return null;
      return stored.sessions.some(({ horizon }) => horizon > 0) ? "stored" : "not stored";
    },
  },
};
