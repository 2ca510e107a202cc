/** For an agent that is a process: what the line to it may do, and what must still hold. */
import { requirementsOf } from "../requirement.ts";

export const wireRequirements = requirementsOf({
  "wire/killed-opening": {
    rule: "An agent that dies while it is opened makes `connect` reject, or ends the events at once.",
    level: "must",
    wire: true,
  },
  "wire/killed": {
    rule: "An agent that dies in a turn, wherever it dies, ends the events; nothing is told as completed that was not.",
    level: "must",
    wire: true,
  },
  "wire/silent": {
    rule: "An agent that falls silent is stopped or closed in bounded time.",
    level: "must",
    wire: true,
  },
  "wire/noise": {
    rule: "A line that is no record, is cut, or is of an unknown kind changes nothing and ends nothing.",
    level: "must",
    wire: true,
  },
  "wire/duplicate": {
    rule: "A record that comes twice breaks no rule of the contract.",
    level: "must",
    wire: true,
  },
  "wire/late": {
    rule: "A record that comes after the end of its turn opens nothing and changes nothing of the next turn.",
    level: "must",
    wire: true,
  },
  "wire/flood": {
    rule: "50 000 records in one turn all arrive, whether the host reads at once or later.",
    level: "must",
    wire: true,
  },
  "wire/framing": {
    rule: "Records end at the byte 0x0A alone, wherever a read is cut; a CR before it and empty lines do no harm.",
    level: "must",
    wire: true,
  },
  "wire/long-line": {
    rule: "A line within the limit is read; above it the turn fails, saying so, and nothing hangs.",
    level: "must",
    wire: true,
  },
  "wire/end-of-input": {
    rule: "An agent that closes its output without a word ends the events, like one that dies.",
    level: "must",
    wire: true,
  },
});
