/** For each phase: what shows that the host is in it, how long after that it is killed, and what proves a hit. */
import type { LoggedRequest } from "@mooring/scripted-model";
import { type Evidence, said } from "./checker/evidence.ts";
import { partsFrom } from "./checker/journal-rules.ts";
import type { Stored } from "./checker/stored.ts";
import type { Line } from "./lines.ts";
import type { Phase } from "./order.ts";
import { migrationName } from "./program/migration.ts";

export type Plan = {
  /** The moment from which the kill is counted: something the child said, or a request of the model. */
  readonly mark:
    | { readonly line: (line: Line) => boolean }
    | { readonly request: (request: LoggedRequest) => boolean };
  /** Milliseconds after the mark, at most. */
  readonly withinMs: number;
  /** From what the kill left, before anything is repaired. */
  readonly isHit: (left: Evidence) => boolean;
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

const isOpen = ({ turns }: Stored): boolean => turns.some(({ status }) => status === "open");
const isInput = ({ inputs }: Stored, id: string, state: string): boolean =>
  inputs.some((input) => input.id === id && input.state === state);
const isAbout =
  (inputId: string) =>
  ({ prompt }: LoggedRequest): boolean => {
    const newest = prompt.at(-1);
    return newest?.role === "user" && newest.text.includes(inputId);
  };

/** What the journal holds of the messages that are open. */
const openText = ({ messages, segments }: Stored): string =>
  JSON.stringify(
    messages
      .filter(({ status }) => status === "open")
      .map((message) =>
        partsFrom(
          segments.flatMap(({ items }) => items),
          message,
        ),
      ),
  );

export const plans: { readonly [P in Phase]: Plan } = {
  start: {
    mark: { line: marksEvent("input.accepted") },
    withinMs: 40,
    isHit: ({ stored, requests }) => isOpen(stored) && isInput(stored, "inp_start", "started") && requests.length === 0,
  },
  tool: {
    mark: { line: marksChunk("tool-input-available") },
    withinMs: 40,
    isHit: ({ stored }) => isOpen(stored) && openText(stored).includes('"input-available"'),
  },
  steer: {
    mark: { line: (line) => line.say === "ack" && line.disposition === "offered" },
    withinMs: 40,
    isHit: ({ stored }) => isOpen(stored) && isInput(stored, "inp_steer", "offered"),
  },
  roll: {
    mark: { request: isAbout("inp_steer") },
    withinMs: 40,
    // On both sides of the commit: the model has the steer, the turn goes on.
    isHit: ({ stored }) =>
      isOpen(stored) && (isInput(stored, "inp_steer", "offered") || isInput(stored, "inp_steer", "taken")),
  },
  settle: {
    mark: { line: marksChunk("text-delta", "END") },
    withinMs: 40,
    // All of the answer is stored, its end is not.
    isHit: ({ stored }) => isInput(stored, "inp_main", "started") && openText(stored).includes("END"),
  },
  approval: {
    mark: { line: marksEvent("approval.requested") },
    withinMs: 40,
    isHit: ({ stored }) => stored.approvals.some(({ how }) => how === null),
  },
  migration: {
    mark: { line: (line) => line.say === "migrating" },
    withinMs: 40,
    isHit: ({ stored }) => !stored.migrations.includes(migrationName),
  },
  fold: {
    mark: { line: (line) => line.say === "fold-begun" },
    withinMs: 40,
    isHit: ({ lines }) => said(lines, "fold-begun").length > said(lines, "fold-done").length,
  },
};
