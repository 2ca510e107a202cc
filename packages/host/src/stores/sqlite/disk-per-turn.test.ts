import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { systemIds } from "../../host/system-ids.ts";
import type { Write } from "../../ports/store.ts";
import type { UIMessage, UIMessageChunk } from "../../protocol/chunks.ts";
import { inputRow, message, messageRow, newOwner, type Owner, turnRow } from "../contract/fixtures.ts";
import { openTestStore, tempDir } from "./test-store.ts";

const sessions = 60;
const chunks = 60;
const delta = "about as much text as a model streams in one piece ";

/** A turn as the host stores it: rows, their events, and `chunks` deltas, each in a flush of its own. */
class ScriptedTurn {
  readonly #owner: Owner;
  readonly #ids = {
    input: systemIds.make("inp"),
    turn: systemIds.make("trn"),
    user: systemIds.make("msg"),
    answer: systemIds.make("msg"),
  };

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  begin(): Promise<unknown> {
    const { input, turn, user, answer } = this.#ids;
    const owner = this.#owner;
    const asked = messageRow(user, {
      role: "user",
      status: "completed",
      turnId: turn,
      inputId: input,
      parts: this.asked.parts,
    });
    return owner.write(
      { write: "input", row: inputRow(input, { state: "started", turnId: turn, messageId: user }) },
      owner.event({ type: "input.accepted", inputId: input, parts: this.asked.parts, author: null }),
      { write: "turn", row: turnRow(turn, 1, { inputId: input }) },
      owner.event({ type: "turn.started", turnId: turn, origin: "user", inputId: input }),
      message(asked),
      owner.event({ type: "message.closed", messageId: user, turnId: turn, message: null }),
      message(messageRow(answer, { parentId: user, turnId: turn })),
      owner.event({ type: "message.opened", messageId: answer, turnId: turn, role: "assistant", parentId: user }),
      this.#chunk({ type: "start" }),
      this.#chunk({ type: "text-start", id: "0" }),
    );
  }

  say(): Promise<unknown> {
    return this.#owner.write(this.#chunk({ type: "text-delta", id: "0", delta }));
  }

  end(): Promise<unknown> {
    const { input, turn, answer } = this.#ids;
    const { parts } = this.answered;
    const set = {
      status: "completed",
      parts,
      metadata: null,
      resumeToken: null,
      anchor: null,
      timing: null,
      closedAt: 9,
    } as const;
    return this.#owner.write(
      this.#chunk({ type: "text-end", id: "0" }),
      this.#chunk({ type: "finish" }),
      { write: "message-close", id: answer, set },
      this.#owner.event({ type: "message.closed", messageId: answer, turnId: turn, message: null }),
      { write: "turn-set", id: turn, set: { status: "completed", endedAt: 9 } },
      { write: "input-set", id: input, set: { state: "answered" } },
      this.#owner.event({ type: "turn.settled", turnId: turn, outcome: "completed", durationMs: 9 }),
    );
  }

  get asked(): UIMessage {
    return { id: this.#ids.user, role: "user", parts: [{ type: "text", text: delta.repeat(3) }] };
  }

  get answered(): UIMessage {
    return {
      id: this.#ids.answer,
      role: "assistant",
      parts: [{ type: "text", text: delta.repeat(chunks), state: "done" }],
    };
  }

  #chunk(chunk: UIMessageChunk): Write {
    return this.#owner.event({ type: "chunk", messageId: this.#ids.answer, turnId: this.#ids.turn, chunk });
  }
}

test("a turn takes at most eight times its messages on disk, and one and a half times when folded", async () => {
  const path = join(tempDir(), "a.db");
  const store = await openTestStore({ path });
  const owners = await Promise.all(Array.from({ length: sessions }, () => newOwner(store, systemIds.make("ses"))));
  const empty = usedBytes(path);
  const turns = owners.map((owner) => new ScriptedTurn(owner));
  await Promise.all(turns.map((turn) => turn.begin()));
  for (let n = 0; n < chunks; n += 1) await Promise.all(turns.map((turn) => turn.say()));
  await Promise.all(turns.map((turn) => turn.end()));
  const messages = turns.reduce((total, turn) => total + JSON.stringify([turn.asked, turn.answered]).length, 0);
  const before = (usedBytes(path) - empty) / messages;
  await store.fold(1_000_000, sessions);
  const after = (usedBytes(path) - empty) / messages;
  await store.close();
  expect(before).toBeLessThanOrEqual(8);
  expect(after).toBeLessThanOrEqual(1.5);
});

/** Pages in use: what is freed is used again before the file grows. */
function usedBytes(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const read = (pragma: string): number => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const used = (read("page_count") - read("freelist_count")) * read("page_size");
  db.close();
  return used;
}
