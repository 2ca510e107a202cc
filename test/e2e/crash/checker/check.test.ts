/** Proves the checker: each kind of damage, done on purpose to a sound database or to the logs, is found and named. */
import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Scene } from "../scene.ts";
import { changedSince } from "./changed-since.ts";
import { check } from "./check.ts";
import type { Evidence, Finding } from "./evidence.ts";
import { askedAgain } from "./model-rules.ts";
import { readStored } from "./stored.ts";

let scene: Scene;
let sound: Evidence;

/** A conversation with a tool and a steer, all of it answered. */
beforeAll(async () => {
  scene = await Scene.open("roll");
  const child = scene.start("run");
  await child.until((line) => line.say === "event" && line.event.type === "turn.settled");
  await child.kill();
  sound = await scene.leftBehind();
});
afterAll(() => scene.close());

const rulesOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ rule }) => rule))];

function damaged(sql: string): Evidence {
  const path = scene.copyDatabase();
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return { ...sound, stored: readStored(path) };
}
const copyOf = (where: string, change: string): string =>
  `CREATE TEMP TABLE copy AS SELECT * FROM messages WHERE ${where}; UPDATE copy SET ${change};
   INSERT INTO messages SELECT * FROM copy`;
const approval = (how: string): string => `INSERT INTO approvals (id, session_no, tool_call_id, tool_name, durable, how,
   created_at, input) VALUES ('apr_1', 1, 'call_1', 'bash', 1, ${how}, 1, '{"command":"echo side_roll"}')`;
/** In both tables of the journal. */
const inJournal = (sql: string): string =>
  ["events", "fresh_events"].map((table) => `${sql.replace("JOURNAL", table)};`).join(" ");
const replacing = (from: string, to: string): string =>
  inJournal(`UPDATE JOURNAL SET data = replace(data, '${from}', '${to}')`);

test("a sound database has no findings", () => {
  expect(check(sound)).toEqual([]);
  expect(sound.stored.inputs.map(({ id, state }) => [id, state])).toEqual([
    ["inp_main", "answered"],
    ["inp_steer", "answered"],
  ]);
});

type SqlCase = readonly [rule: string, sql: string];
const rows: readonly SqlCase[] = [
  ["an acknowledged input is stored", "DELETE FROM inputs WHERE id = 'inp_main'"],
  [
    "an input has ended, waits, or belongs to a turn that waits",
    "UPDATE inputs SET state = 'offered' WHERE id = 'inp_steer'",
  ],
  ["an input ends as its turn did", "UPDATE turns SET status = 'stopped' WHERE no = 1"],
  ["an input has one user message", copyOf("input_id = 'inp_main'", "no = 1000, id = 'msg_again'")],
  [
    "an input that reached the agent has its user message",
    "UPDATE inputs SET message_id = NULL WHERE id = 'inp_steer'",
  ],
  [
    "an input that waits was not sent",
    "UPDATE inputs SET state = 'held', reason = 'interrupted' WHERE id = 'inp_main'",
  ],
  ["no turn is open", "UPDATE turns SET status = 'open' WHERE no = 1"],
  ["no turn is open", "UPDATE turns SET status = 'waiting' WHERE no = 1"],
  ["no message is open", "UPDATE messages SET status = 'open' WHERE no = 2"],
  [
    "a turn that waits has one open message",
    `${approval("NULL")}; UPDATE turns SET status = 'waiting' WHERE no = 1;
    UPDATE approvals SET turn_id = (SELECT id FROM turns WHERE no = 1)`,
  ],
  [
    "every part of a closed message is finished",
    "UPDATE messages SET parts = replace(parts, 'output-available', 'input-available')",
  ],
  ["every part of a closed message is finished", `UPDATE messages SET parts = replace(parts, '"done"', '"streaming"')`],
  ["no approval is open", approval("NULL")],
  ["no child is recorded as running", "INSERT INTO processes VALUES (1, 'then', 'tool', NULL, 1, 1)"],
  ["no call runs that was not allowed", approval("'deny'")],
  ["a message has its parent", "UPDATE messages SET parent_id = 'msg_gone' WHERE no = 2"],
  ["every message is on the branch that is shown", "UPDATE sessions SET leaf = (SELECT id FROM messages WHERE no = 3)"],
];
const journal: readonly SqlCase[] = [
  ["the journal has no gap", inJournal("DELETE FROM JOURNAL WHERE first_seq BETWEEN 10 AND 20")],
  ["the journal has no gap", "UPDATE sessions SET horizon = 3"],
  ["the journal has no gap", inJournal("UPDATE JOURNAL SET data = json_remove(data, '$[0]') WHERE first_seq = 1")],
  ["the journal names messages that exist", "DELETE FROM messages WHERE no = 2"],
  [
    "the journal names messages that exist",
    replacing('{"type":"turn.started"', '{"messageId":"msg_gone","type":"message.closed"'),
  ],
  ["the chunks of a closed message give its parts", "UPDATE messages SET parts = replace(parts, 'w3', 'w4')"],
  ["a turn starts and settles once", replacing("turn.settled", "notice")],
  ["what a viewer saw is stored", replacing('"w', '"x')],
];

describe.each([...rows, ...journal])("%s", (rule, sql) => {
  test(`is broken by ${sql.slice(0, 60)}`, () => {
    expect(rulesOf(check(damaged(sql)))).toContain(rule);
  });
});

type LogCase = readonly [rule: string, what: string, alter: (evidence: Evidence) => Partial<Evidence>];
const logs: readonly LogCase[] = [
  ["no tool runs twice", "a side line more", ({ side }) => ({ side: [...side, ...side] })],
  ["a tool that ran is in the conversation", "an unknown side line", ({ side }) => ({ side: [...side, "side_other"] })],
  ["a tool that gave its output ran", "no side line", () => ({ side: [] })],
  ["an input is sent once", "a request more", ({ requests }) => ({ requests: [...requests, ...requests.slice(0, 1)] })],
  ["an answered input was sent", "a request less", ({ requests }) => ({ requests: requests.slice(1) })],
  [
    "an acknowledged input is stored",
    "an unknown acknowledgement",
    ({ lines }) => ({ lines: [...lines, { say: "ack", inputId: "inp_lost", disposition: "queued" }] }),
  ],
];
test.each(logs)("%s is broken by %s", (rule, _, alter) => {
  expect(rulesOf(check({ ...sound, ...alter(sound) }))).toContain(rule);
});

test("a call that was allowed and did not run is found", () => {
  const lines = [...sound.lines, { say: "allowed", approvalId: "apr_1" } as const];
  const found = check({ ...damaged(approval("'allow'")), lines, side: [] });
  expect(rulesOf(found)).toContain("a call that was allowed runs once");
});

test("a damaged page is found", async () => {
  const path = scene.copyDatabase();
  const db = new DatabaseSync(path); // closing it writes the log back into the file
  const root = db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'usage_by_turn'").get();
  const size = db.prepare("PRAGMA page_size").get();
  db.close();
  const bytes = Number(size?.["page_size"]);
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(bytes), 0, bytes, (Number(root?.["page"]) - 1) * bytes);
  await file.close();
  expect(rulesOf(check({ ...sound, stored: readStored(path) }))).toContain("the database is whole");
});

const changes: readonly SqlCase[] = [
  ["a closed message never changes", "UPDATE messages SET parts = '[]' WHERE no = 1"],
  ["a settled turn never changes", "UPDATE turns SET status = 'failed' WHERE no = 1"],
  ["an ended input never changes", "UPDATE inputs SET state = 'queued' WHERE id = 'inp_main'"],
  ["an input is never forgotten", "DELETE FROM inputs WHERE id = 'inp_main'"],
  ["the journal only grows", inJournal("DELETE FROM JOURNAL WHERE first_seq = 1")],
];
test.each(changes)("%s: a restart that does is found", (rule, sql) => {
  expect(rulesOf(changedSince(sound.stored, damaged(sql).stored))).toContain(rule);
});

test("a model that is asked about an old input after the kill is found", () => {
  const { requests } = sound;
  expect(askedAgain(requests.slice(0, 1), requests)).toEqual([]);
  expect(rulesOf(askedAgain(requests, [...requests, ...requests.slice(-1)]))).toEqual([
    "recovery asks the model nothing again",
  ]);
});
