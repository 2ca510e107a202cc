/**
 * Where the events of a followed session go: a terminal or a file as text, or one JSON line each. Invariant: with
 * `--json` standard output has nothing but events; what is said to the person goes to standard error then, and also
 * when standard output is not the screen they sit at.
 */
import type { SessionId, Snapshot } from "@mooring/host";
import type { Delivered } from "../command-host.ts";
import { render } from "../render/render.ts";
import { closed, startView, type View } from "../render/view.ts";
import type { Terminal } from "../terminal.ts";
import type { Look } from "../text/look.ts";
import { jsonText } from "../text/plain-text.ts";

export interface Output {
  event(delivered: Delivered): void;
  /** Lines for the person, not part of the session. `words` may style. */
  say(words: (look: Look) => string): void;
  /** A question or an answer to what was typed. */
  ask(words: (look: Look) => string): void;
}

export function outputFor(
  terminal: Terminal,
  { json, sessionId, snapshot }: { readonly json: boolean; readonly sessionId: SessionId; readonly snapshot: Snapshot },
): Output {
  if (json) return jsonOutput(terminal);
  const settings = { sessionId, look: terminal.look, command: terminal.command };
  return textOutput(terminal, startView(settings, snapshot));
}

/** One event as a line: its own fields, its place in the journal, and when it was stored. */
export function eventLine(delivered: Delivered): string {
  const { event, cursor } = delivered;
  return `${jsonText({ ...event, cursor, ...("at" in delivered ? { at: delivered.at } : {}) })}\n`;
}

function jsonOutput(terminal: Terminal): Output {
  return {
    event: (delivered) => terminal.out(eventLine(delivered)),
    say: () => {},
    ask: (words) => terminal.err(`${words(terminal.errorLook)}\n`),
  };
}

function textOutput(terminal: Terminal, start: View): Output {
  let view = start;
  const write = ([next, text]: readonly [View, string]): void => {
    view = next;
    terminal.out(text);
  };
  const say: Output["say"] = (words) => {
    write(closed(view));
    terminal.out(`${words(terminal.look)}\n`);
  };
  return {
    event: (delivered) => write(render(view, delivered)),
    say,
    ask: terminal.isScreen ? say : (words) => terminal.err(`${words(terminal.errorLook)}\n`),
  };
}
