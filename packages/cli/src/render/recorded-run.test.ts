/** A whole run, recorded with `mooring run --json`: what a person would have seen of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeliveredEvent, SessionEvent } from "@mooring/host";
import { expect, test } from "vitest";
import { snapshot } from "../testing/events.ts";
import { plainLook } from "../text/look.ts";
import { render } from "./render.ts";
import { startView } from "./view.ts";

const recorded = readFileSync(join(import.meta.dirname, "..", "testing", "recorded-run.jsonl"), "utf8");

/** The flat lines of `--json` as they were delivered. */
const events = recorded
  .split("\n")
  .filter((line) => line !== "")
  .map((line): DeliveredEvent => {
    const { cursor, seq, at, ...event } = JSON.parse(line) as { cursor: string; seq: number; at: number };
    return { cursor, seq, at, event: event as SessionEvent };
  });

test("a recorded run", () => {
  let view = startView({ sessionId: "ses_1", look: plainLook, command: "mooring" }, snapshot());
  const shown = events.map((event) => {
    const [next, text] = render(view, event);
    view = next;
    return text;
  });
  expect(shown.join("")).toMatchInlineSnapshot(`
    "│ I look around first
    ● ls
    ● read README.md
    ● bash rm -rf .
    ● read none
      └ ls  README.md
      └ bash rm -rf .  ✗ denied: Nobody can answer: the turn runs unattended.
      └ read README.md  2 lines, 13 B
      └ read none  ✗ none: no such file or directory.
    That is all.
    ✓ completed in 337 ms · 333 tokens in, 26 out
    "
  `);
  expect([view.calls.size, view.inputs.size, view.flows.size, view.asked.size]).toEqual([0, 0, 0, 0]);
});
