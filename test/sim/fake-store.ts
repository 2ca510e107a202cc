/** The rows of one session in memory, strict: every op is checked against what is stored before it. */
import assert from "node:assert/strict";
import type { UIMessageChunk } from "../../packages/host/src/protocol/chunks.ts";
import type { InputId, TurnNo } from "../../packages/host/src/protocol/ids.ts";
import type { End, Input, InputState } from "../../packages/host/src/protocol/input.ts";
import { endedInputStates } from "../../packages/host/src/protocol/input.ts";
import type { Op } from "../../packages/host/src/protocol/ops.ts";
import type { Effect, Event, Reply } from "../../packages/host/src/session/events.ts";
import type { StoredFacts } from "../../packages/host/src/session/stored-facts.ts";

type Of<T extends Op["op"]> = Extract<Op, { op: T }>;
export type Save = Extract<Effect, { type: "save" }> & { readonly life: number };
export type InputRow = { input: Input; state: InputState; turn: TurnNo | null; reason: string | null; told: boolean };
type Texts = { id: string; kind: "text" | "reasoning" };
export type Message = {
  key: string;
  turn: TurnNo | null;
  no: number;
  open: boolean;
  dropped: boolean;
  text: string;
  texts: Texts[];
  tools: string[];
  written: boolean;
  content: boolean;
};
export type TurnRow = { input: InputId | null; end: End | null; waiting: boolean; doings: number };
export type ApprovalRow = Of<"approval-opened"> & { how: string | null };

export class FakeStore {
  inputs: InputRow[] = []; // waiting ones in queue order
  turns = new Map<TurnNo, TurnRow>();
  messages: Message[] = [];
  approvals = new Map<string, ApprovalRow>();
  token: string | null = null;
  usage = new Set<string>();
  compacting = false; // shown as started, its end is not
  doings = 0; // compactions and changes of configuration: they count as something a turn did
  journal: Op[] = [];
  pending: Save[] = [];
  answers: Event[] = []; // committed, not yet told
  life = 0; // which incarnation may write: a refused save ends one
  fail: string | null = null;
  continuation: () => Input | null = () => null;
  onCommit: (ops: readonly Op[]) => void = () => {};
  readonly #onReply: (reply: Reply) => void;
  readonly #onSettled: (turn: TurnNo, end: End) => void;
  constructor(onReply: (reply: Reply) => void, onSettled: (turn: TurnNo, end: End) => void) {
    this.#onReply = onReply;
    this.#onSettled = onSettled;
  }

  enqueue(save: Save): void {
    if (save.life === this.life) this.pending.push(save);
  }
  commit(): void {
    const save = this.pending.shift();
    if (!save) return;
    if (this.fail !== null) return this.refuse(save.save);
    this.transaction(save.ops);
    for (const reply of save.replies) this.#onReply(reply);
    this.onCommit(save.ops);
    this.answers.push(...save.facts, { type: "saved", save: save.save });
  }
  transaction(ops: readonly Op[]): void {
    for (const op of ops) this.write(op);
    for (const op of ops) if (op.op === "turn-settled") this.checkSettled(op.turn, op.end);
  }
  refuse(save: number): void {
    this.answers.push({ type: "refused", save, reason: this.fail ?? "io" });
    this.pending = [];
    this.life++;
    this.fail = null;
  }
  facts(): StoredFacts {
    const open = (m: Message) => ({ live: { texts: m.texts, tools: m.tools }, written: m.written });
    return {
      inputs: this.inputs
        .filter((r) => !endedInputStates.includes(r.state))
        .map((r) => ({ input: r.input, state: r.state, reason: r.reason as never, turn: r.turn, told: r.told })),
      openTurns: [...this.turns].flatMap(([no, t]) =>
        t.end === null ? [{ no, input: t.input, waiting: t.waiting }] : [],
      ),
      openMessages: this.messages.flatMap((m) =>
        m.open && m.turn !== null ? [{ turn: m.turn, message: m.no, ...open(m) }] : [],
      ),
      openFlows: this.messages.flatMap((m) => (m.open && m.turn === null ? [{ flow: m.no, live: open(m).live }] : [])),
      openApprovals: [...this.approvals.values()]
        .filter((a) => a.how === null)
        .map((a) => ({ request: a.request, turn: a.turn })),
      lastTurn: Math.max(0, ...this.turns.keys()),
      lastFlow: Math.max(0, ...this.messages.filter((m) => m.turn === null).map((m) => m.no)),
      compacting: this.compacting,
      token: this.token,
      continuation: this.continuation(),
    };
  }
  input(id: InputId): InputRow {
    const row = this.inputs.find((r) => r.input.id === id);
    assert(row, `S4 input ${id} was never accepted`);
    return row;
  }
  openMessage(turn: TurnNo): Message | undefined {
    return this.messages.find((m) => m.turn === turn && m.open);
  }
  textOf(turn: TurnNo): string {
    return this.messages
      .filter((m) => m.turn === turn)
      .map((m) => m.text)
      .join("");
  }

  write(op: Op): void {
    this.journal.push(op);
    switch (op.op) {
      case "accepted":
        assert(!this.inputs.some((r) => r.input.id === op.input.id), "S4 accepted twice");
        this.inputs.push({ input: op.input, state: "queued", turn: null, reason: null, told: false });
        return;
      case "input":
        return this.writeInput(op);
      case "input-edited": {
        const row = this.input(op.id);
        assert(["queued", "held"].includes(row.state) && !row.told, "S4 only what waits unseen is edited");
        row.input = { ...row.input, parts: op.parts };
        return;
      }
      case "order": {
        const listed = op.ids.map((id) => this.input(id));
        this.inputs = [...this.inputs.filter((r) => !listed.includes(r)), ...listed];
        return;
      }
      case "turn-opened":
        assert(!this.turns.has(op.turn), "S4 a turn number is used once");
        this.turns.set(op.turn, { input: op.input, end: null, waiting: false, doings: this.doings });
        return;
      case "turn-waiting":
      case "turn-resumed": {
        const row = this.turns.get(op.turn);
        assert(
          row && row.end === null && row.waiting === (op.op === "turn-resumed"),
          `N1 ${op.op} of a turn that is not so`,
        );
        row.waiting = op.op === "turn-waiting";
        return;
      }
      case "user-message": {
        const row = this.input(op.input);
        assert(!row.told, "S4 an input's message is stored once");
        assert(!this.openMessage(op.turn), "S6 an input's message stands between two answers");
        row.told = true;
        return;
      }
      default:
        return this.writeMessage(op);
    }
  }
  writeMessage(op: Op): void {
    switch (op.op) {
      case "message-opened":
        return this.open(op.turn, op.message);
      case "flow-opened":
        assert(!this.messages.some((m) => m.key === `f${op.flow}`), "S1 a flow opens once");
        this.messages.push(fresh(`f${op.flow}`, null, op.flow));
        return;
      case "chunk": {
        const key = "flow" in op.to ? `f${op.to.flow}` : `${op.to.turn}.${op.to.message}`;
        const row = this.messages.find((m) => m.key === key);
        assert(row?.open, `S2 write to a message that is not open: ${key}`);
        return track(row, op.chunk);
      }
      case "message-closed":
      case "flow-closed": {
        const key = op.op === "flow-closed" ? `f${op.flow}` : `${op.turn}.${op.message}`;
        const row = this.messages.find((m) => m.key === key);
        assert(row?.open, "S2 close of a message that is not open");
        assert(row.texts.length === 0 && row.tools.length === 0, `P2 ${key} closes with unfinished parts`);
        if (op.op === "message-closed")
          assert.equal(op.token, this.token, "S8 a closed message carries the newest token");
        row.open = false;
        return;
      }
      case "message-dropped": {
        const row = this.messages.find((m) => m.key === `${op.turn}.${op.message}`);
        assert(row?.open && !row.written, "S2 only an empty open message is dropped");
        row.open = false;
        row.dropped = true;
        return;
      }
      default:
        return this.writeRest(op);
    }
  }
  writeRest(op: Op): void {
    switch (op.op) {
      case "turn-settled": {
        const row = this.turns.get(op.turn);
        assert(row && row.end === null, "S4 a turn is settled once");
        row.end = op.end;
        return this.#onSettled(op.turn, op.end);
      }
      case "approval-opened":
        assert(!this.approvals.has(op.request.approval), "S9 asked twice");
        this.approvals.set(op.request.approval, { ...op, how: null });
        return;
      case "approval-closed": {
        const row = this.approvals.get(op.approval);
        assert(row && row.how === null, "S9 an approval is answered at most once");
        row.how = op.how;
        return;
      }
      case "token":
        this.token = op.token;
        return;
      case "usage":
        assert(!this.usage.has(op.usage.requestId), "U1 usage is counted once");
        this.usage.add(op.usage.requestId);
        if (op.turn !== null && op.message !== null)
          assert(
            this.messages.some((m) => m.key === `${op.turn}.${op.message}` && m.open),
            "U1 usage binds to the open message",
          );
        return;
      case "compaction":
        this.compacting = op.state === "started";
        this.doings++;
        return;
      case "note":
        if (op.note.kind === "config" || op.note.kind === "commands") this.doings++;
        return;
      default:
        return;
    }
  }
  writeInput(op: Of<"input">): void {
    const row = this.input(op.id);
    assert(!endedInputStates.includes(row.state), `S4 ${op.id} ended as ${row.state}, now ${op.state}`);
    if (op.state === "taken") assert.equal(row.state, "offered", "S4 only an offered input is taken");
    if (op.state === "offered") assert.equal(row.state, "queued", "S4 only a fresh input is offered");
    if (op.state === "started") {
      assert(row.state === "queued" || row.state === "offered", "S4 only what waits or was offered starts");
      const first = this.inputs.find((r) => r.state === "queued");
      if (row.state === "queued") assert.equal(first?.input.id, op.id, "Q3 the first input that waits starts");
    }
    if (op.state === "answered")
      assert(row.state === "started" || row.state === "taken", "S4 only what an agent had is answered");
    if (op.state === "cancelled")
      assert(row.state !== "started" && row.state !== "taken", "S4 what an agent has is not cancelled");
    row.state = op.state;
    row.turn = op.turn;
    row.reason = op.reason;
  }
  open(turn: TurnNo, message: number): void {
    const row = this.turns.get(turn);
    assert(row && row.end === null, "S2 a message opens in a live turn");
    assert(!this.openMessage(turn), "S1 one open message per turn");
    assert(
      this.messages.filter((m) => m.open && m.turn !== null).length <= 1,
      "S1 at most one turn writes, one is parked",
    );
    this.messages.push(fresh(`${turn}.${message}`, turn, message));
  }
  /** After the whole transaction that settles a turn. */
  checkSettled(turn: TurnNo, end: End): void {
    assert(!this.openMessage(turn), "S2 a settled turn has no open message");
    for (const [id, a] of this.approvals) assert(a.turn !== turn || a.how !== null, `S9 ${id} outlived its turn`);
    for (const i of this.inputs)
      assert(
        i.turn !== turn || endedInputStates.includes(i.state) || i.state === "offered",
        `S4 ${i.input.id} is ${i.state} in a settled turn`,
      );
    const said =
      this.messages.some((m) => m.turn === turn && m.content) || this.doings > (this.turns.get(turn)?.doings ?? 0);
    assert(
      end.outcome !== "completed" || said || this.turns.get(turn)?.input === null,
      "S10 a turn without content did not complete",
    );
  }
}
const fresh = (key: string, turn: TurnNo | null, no: number): Message => ({
  key,
  turn,
  no,
  open: true,
  dropped: false,
  text: "",
  texts: [],
  tools: [],
  written: false,
  content: false,
});
/** The simulator's own account of unfinished parts. */
function track(m: Message, chunk: UIMessageChunk): void {
  m.written = true;
  if (!["text-start", "text-end"].includes(chunk.type)) m.content = true;
  if (chunk.type === "text-start") m.texts = [...m.texts, { id: chunk.id, kind: "text" }];
  if (chunk.type === "text-delta") m.text += chunk.delta;
  if (chunk.type === "text-end") m.texts = m.texts.filter((t) => t.id !== chunk.id);
  if (chunk.type === "tool-input-available") m.tools = [...m.tools, chunk.toolCallId];
  if (
    chunk.type === "tool-output-available" ||
    chunk.type === "tool-output-error" ||
    chunk.type === "tool-output-denied"
  )
    m.tools = m.tools.filter((id) => id !== chunk.toolCallId);
}
