/**
 * Turns what the core decides, in its counters, into rows and events with public ids. One per incarnation of a loaded
 * session; called synchronously, in the order of the saves. Invariants: an id is made in the save that first stores its
 * thing; a message's chunks are folded as they are written, so that its close carries its parts; every row a save
 * refers to was written by an earlier save or stands earlier in the same one.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Write } from "../../ports/store.ts";
import type { AgentNote } from "../../protocol/agent-events.ts";
import type { UIMessage, UIMessageChunk } from "../../protocol/chunks.ts";
import type { SessionEvent } from "../../protocol/events.ts";
import { foldChunk, snapshot, startFold } from "../../protocol/fold.ts";
import type {
  ApprovalId,
  FlowNo,
  Generation,
  InputId,
  MessageId,
  Millis,
  SessionId,
  TurnId,
  TurnNo,
} from "../../protocol/ids.ts";
import type { Input, InputState, Outcome } from "../../protocol/input.ts";
import type { Op } from "../../protocol/ops.ts";
import type { Asked } from "../../protocol/permission.ts";
import type { MessageRow, SessionRow } from "../../protocol/rows.ts";
import { EntryPlaces, type PlacedEntry } from "./entry-places.ts";
import { modeOf, noteEvent } from "./note-event.ts";
import { QueuePlaces } from "./queue-places.ts";
import * as rows from "./scribe-rows.ts";
import type { OpenMessage, OpenTurn, ScribeSeed } from "./scribe-seed.ts";

type ScribePorts = {
  readonly sessionId: SessionId;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The model a turn that starts now runs with; null: not known. */
  model(input: Input | null): string | null;
  agentName(): string;
  /** Hash of what the client sent. */
  bodyHash(input: Input): string;
  /** Parent of a message that an input's branch names. */
  parentOf(message: MessageId): MessageId | null;
  /** Why a call is asked about, as the host decided it; null: it was not asked. */
  asked(toolCallId: string): Asked | null;
  turnOpened(turn: OpenTurn): void;
  turnSettled(turn: OpenTurn): void;
  /** Columns of the session the agent changed. */
  changed(set: Partial<Pick<SessionRow, "title" | "permissionMode" | "resumeToken" | "leaf">>): void;
};
type Of<T extends Op["op"]> = Extract<Op, { op: T }>;
type SessionSet = Extract<Write, { write: "session" }>["set"];
const waits = (state: InputState): boolean => state === "queued" || state === "held";
const ended = (state: InputState): boolean => state === "answered" || state === "unanswered" || state === "cancelled";

export class Scribe {
  readonly #ports: ScribePorts;
  readonly #inputs = new Map<InputId, Input>();
  readonly #turns = new Map<TurnNo, OpenTurn>();
  readonly #numbers = new Map<TurnId, TurnNo>();
  readonly #flows = new Map<FlowNo, OpenMessage>();
  readonly #approvals = new Map<ApprovalId, TurnId | null>();
  readonly #entries = new EntryPlaces();
  readonly #places: QueuePlaces;
  #leaf: MessageId | null;
  #writes: Write[] = [];
  #session: SessionSet = {};

  constructor(ports: ScribePorts, seed: ScribeSeed) {
    this.#ports = ports;
    this.#leaf = seed.leaf;
    this.#places = new QueuePlaces(seed.waiting, seed.lastPosition);
    for (const input of seed.inputs) this.#inputs.set(input.id, input);
    for (const turn of seed.turns) this.#keepTurn(turn);
    for (const [no, message] of seed.flows) this.#flows.set(no, message);
    for (const [id, turn] of seed.approvals) this.#approvals.set(id, turn);
  }

  // --- names ------------------------------------------------------------------------------------------------------

  /** An open turn; undefined once it is settled. */
  turn(no: TurnNo): OpenTurn | undefined {
    return this.#turns.get(no);
  }
  turnNo(id: TurnId): TurnNo | undefined {
    return this.#numbers.get(id);
  }
  openTurns(): readonly TurnId[] {
    return [...this.#numbers.keys()];
  }
  /** What the core calls the generation of a driver's turn id. An id the driver made cannot be taken for one of ours. */
  generationOf(id: TurnId): Generation {
    const no = this.#numbers.get(id);
    if (no !== undefined) return `t${no}`;
    return /^(t\d+$|own:)/.test(id) ? `own:${id}` : id;
  }
  /** What the driver calls a generation. */
  driverTurn(generation: Generation): TurnId {
    const own = /^t(\d+)$/.exec(generation);
    if (own) return this.#turns.get(Number(own[1]))?.id ?? generation;
    return generation.startsWith("own:") ? generation.slice(4) : generation;
  }
  /** An open message of a turn as far as it was written; by turn or by its own id. */
  message(of: TurnNo | MessageId): UIMessage | null {
    const open = [...this.#turns.values()].find((turn) => turn.no === of || turn.open?.id === of)?.open;
    return open ? snapshot(open.fold) : null;
  }

  // --- one save ---------------------------------------------------------------------------------------------------

  transcribe(ops: readonly Op[]): readonly Write[] {
    return this.#written(() => {
      for (const op of ops) this.#op(op);
    });
  }
  /** Not the core's: the branch shown ends at `leaf` from now on, and goes on from `entry`. */
  aside({ leaf, entry }: { readonly leaf?: MessageId | null; readonly entry?: PlacedEntry }): readonly Write[] {
    return this.#written(() => {
      if (leaf !== undefined) this.#moveTo(leaf);
      if (entry) this.#entries.add(entry);
      this.#placeEntries();
    });
  }
  #written(work: () => void): readonly Write[] {
    this.#writes = [];
    this.#session = {};
    const leaf = this.#leaf;
    work();
    if (this.#leaf !== leaf) this.#session = { ...this.#session, leaf: this.#leaf };
    if (Object.keys(this.#session).length > 0) this.#changeSession();
    return this.#writes;
  }
  #changeSession(): void {
    const { updatedAt: _, removedAt: __, compacting: ___, ...set } = this.#session;
    this.#writes.push({ write: "session", set: this.#session });
    this.#ports.changed(set);
  }
  #op(op: Op): void {
    switch (op.op) {
      case "chunk":
        return this.#chunk(op);
      case "accepted":
        return this.#accepted(op.input);
      case "input":
        return this.#input(op);
      case "input-edited":
        return this.#edited(op);
      case "order":
        return this.#order(op.ids);
      case "branch":
        return this.#branch(op);
      case "turn-opened":
        return this.#turnOpened(op);
      case "user-message":
        return this.#userMessage(op);
      case "message-opened":
        return this.#messageOpened(op);
      case "message-closed":
        return this.#messageClosed(op);
      case "message-dropped":
        return this.#messageDropped(op);
      case "turn-waiting":
      case "turn-resumed":
        return this.#turnState(op);
      case "turn-settled":
        return this.#turnSettled(op);
      case "approval-opened":
        return this.#approvalOpened(op);
      case "approval-closed":
        return this.#approvalClosed(op);
      case "flow-opened":
        return this.#flowOpened(op);
      case "flow-closed":
        return this.#flowClosed(op);
      case "token":
        this.#session = { ...this.#session, resumeToken: op.token };
        return;
      case "usage":
        return this.#usage(op);
      case "compaction":
        return this.#compaction(op);
      case "note":
        return this.#note(op.note, op.turn);
    }
    op satisfies never;
  }
  #now(): Millis {
    return this.#ports.clock.now();
  }
  #event(event: SessionEvent): void {
    this.#writes.push({ write: "event", event, at: this.#now() });
  }
  /** Sorts the session to the top of a list. */
  #touch(at: Millis): void {
    this.#session = { ...this.#session, updatedAt: at };
  }

  // --- inputs -----------------------------------------------------------------------------------------------------

  #accepted(input: Input): void {
    const at = this.#now();
    this.#inputs.set(input.id, input);
    this.#writes.push({
      write: "input",
      row: rows.acceptedRow(input, this.#places.add(input.id), this.#ports.bodyHash(input), at),
    });
    const { sessionId } = this.#ports;
    this.#event({ type: "input.accepted", sessionId, inputId: input.id, parts: input.parts, author: input.author });
    this.#touch(at);
  }
  #input({ id, state, reason, turn }: Of<"input">): void {
    const turnId = turn === null ? null : (this.#turns.get(turn)?.id ?? null);
    const position = this.#places.change(id, waits(state));
    this.#writes.push({ write: "input-set", id, set: { state, reason, turnId, updatedAt: this.#now(), ...position } });
    this.#event({
      type: "input.changed",
      sessionId: this.#ports.sessionId,
      inputId: id,
      state,
      ...(reason === null ? {} : { reason }),
      ...(turnId === null ? {} : { turnId }),
    });
    if (ended(state)) this.#inputs.delete(id);
  }
  #edited({ id, parts }: Of<"input-edited">): void {
    const known = this.#inputs.get(id);
    if (known === undefined) return;
    const input = { ...known, parts };
    this.#inputs.set(id, input);
    this.#writes.push({ write: "input-set", id, set: { input, updatedAt: this.#now() } });
    this.#event({ type: "input.changed", sessionId: this.#ports.sessionId, inputId: id, parts });
  }
  #order(ids: readonly InputId[]): void {
    this.#places.order(ids);
    this.#writes.push({ write: "order", ids });
    this.#event({ type: "queue.changed", sessionId: this.#ports.sessionId, order: ids });
  }

  // --- turns ------------------------------------------------------------------------------------------------------

  #keepTurn(turn: OpenTurn): void {
    this.#turns.set(turn.no, turn);
    this.#numbers.set(turn.id, turn.no);
  }
  #branch({ branch }: Of<"branch">): void {
    const parent = this.#ports.parentOf(branch.messageId);
    this.#moveTo(branch.position === "at" ? branch.messageId : parent);
  }
  #moveTo(leaf: MessageId | null): void {
    this.#leaf = leaf;
    this.#event({ type: "session.changed", sessionId: this.#ports.sessionId, change: { leaf: this.#leaf } });
  }
  #turnOpened({ turn: no, origin, input: inputId, source }: Of<"turn-opened">): void {
    const input = inputId === null ? null : (this.#inputs.get(inputId) ?? null);
    const turn: OpenTurn = {
      id: this.#ports.ids.make("trn"),
      no,
      startedAt: this.#now(),
      model: this.#ports.model(input),
      input,
      messages: new Map(),
      open: null,
      tokens: rows.noTokens,
      requests: new Set(),
    };
    this.#keepTurn(turn);
    const { id, model, startedAt } = turn;
    this.#writes.push({ write: "turn", row: rows.openTurnRow({ id, no, origin, inputId, model, startedAt }) });
    const { sessionId } = this.#ports;
    this.#event({
      type: "turn.started",
      sessionId,
      turnId: id,
      origin,
      ...(inputId === null ? {} : { inputId }),
      ...(source === null ? {} : { source }),
    });
    this.#touch(startedAt);
    this.#ports.turnOpened(turn);
  }
  #turnState({ op, turn: no }: Of<"turn-waiting" | "turn-resumed">): void {
    const turn = this.#turns.get(no);
    if (!turn) return;
    const waiting = op === "turn-waiting";
    this.#writes.push({ write: "turn-set", id: turn.id, set: { status: waiting ? "waiting" : "open" } });
    const { sessionId } = this.#ports;
    this.#event({ type: waiting ? "turn.waiting" : "turn.resumed", sessionId, turnId: turn.id });
  }
  #turnSettled({ turn: no, end }: Of<"turn-settled">): void {
    const turn = this.#turns.get(no);
    if (!turn) return;
    const at = this.#now();
    const { outcome, reason, message } = end;
    const told = outcome === "completed" ? { reason: null, message: null } : { reason, message };
    this.#writes.push({ write: "turn-set", id: turn.id, set: { status: outcome, endedAt: at, ...told } });
    const explained = outcome === "failed" || outcome === "interrupted";
    this.#event({
      type: "turn.settled",
      sessionId: this.#ports.sessionId,
      turnId: turn.id,
      outcome,
      ...(explained ? { error: { code: reason, message } } : {}),
      usage: turn.tokens,
      durationMs: Math.max(0, at - turn.startedAt),
    });
    this.#turns.delete(no);
    this.#numbers.delete(turn.id);
    this.#touch(at);
    this.#ports.turnSettled(turn);
  }

  // --- messages ---------------------------------------------------------------------------------------------------

  /** A row behind everything on the branch; it becomes the leaf. */
  #place(
    turnId: TurnId | null,
    id = this.#ports.ids.make("msg"),
  ): Pick<MessageRow, "id" | "parentId" | "turnId" | "createdAt"> {
    const placed = { id, parentId: this.#leaf, turnId, createdAt: this.#now() };
    this.#leaf = placed.id;
    return placed;
  }
  #userMessage({ turn: no, input: id }: Of<"user-message">): void {
    const input = this.#inputs.get(id);
    if (input === undefined) return;
    const row = rows.userMessageRow(this.#place(this.#turns.get(no)?.id ?? null, rows.keptId(input)), input);
    this.#writes.push({ write: "message", row });
    this.#writes.push({ write: "input-set", id, set: { messageId: row.id, updatedAt: row.createdAt } });
    this.#announceClose(row);
  }
  #messageOpened({ turn: no, message: ordinal }: Of<"message-opened">): void {
    const turn = this.#turns.get(no);
    if (!turn) return;
    const placed = this.#place(turn.id);
    turn.open = { ...placed, fold: startFold(placed.id), firstChunkAt: null, toolMs: null };
    turn.messages.set(ordinal, placed.id);
    this.#writes.push({
      write: "message",
      row: rows.openMessageRow(placed, ordinal, turn.model, this.#ports.agentName()),
    });
    const { sessionId } = this.#ports;
    const { id: messageId, parentId } = placed;
    this.#event({ type: "message.opened", sessionId, messageId, turnId: turn.id, role: "assistant", parentId });
  }
  #chunk({ to, chunk }: Of<"chunk">): void {
    const message = "flow" in to ? this.#flows.get(to.flow) : this.#turns.get(to.turn)?.open;
    if (!message) return;
    message.firstChunkAt ??= this.#now();
    foldChunk(message.fold, chunk);
    this.#chunkEvent(message, chunk);
  }
  #chunkEvent(message: OpenMessage, chunk: UIMessageChunk): void {
    const { sessionId } = this.#ports;
    const { id: messageId, turnId } = message;
    this.#event({ type: "chunk", sessionId, messageId, ...(turnId === null ? {} : { turnId }), chunk });
  }
  #messageClosed({ turn: no, status, token, anchor }: Of<"message-closed">): void {
    const turn = this.#turns.get(no);
    if (!turn?.open) return;
    this.#close(turn.open, status, token, anchor);
    turn.open = null;
    this.#placeEntries();
  }
  #close(open: OpenMessage, status: Outcome, resumeToken: string | null, anchor: string | null): void {
    const at = this.#now();
    const timing = {
      firstChunkMs: open.firstChunkAt === null ? null : Math.max(0, open.firstChunkAt - open.createdAt),
      totalMs: Math.max(0, at - open.createdAt),
      ...(open.toolMs === null ? {} : { tools: open.toolMs }),
    };
    const { parts, metadata = null } = snapshot(open.fold);
    const set = { status, parts, metadata, resumeToken, anchor, timing, closedAt: at };
    this.#writes.push({ write: "message-close", id: open.id, set });
    this.#announceClose(open);
  }
  /** The journal keeps a reference; the store puts the message in for readers. */
  #announceClose({ id: messageId, turnId }: Pick<MessageRow, "id" | "turnId">): void {
    const turn = turnId === null ? {} : { turnId };
    const { sessionId } = this.#ports;
    this.#event({ type: "message.closed", sessionId, messageId, ...turn, message: null });
  }
  /** It was empty. What came after it on the branch moves up to its parent, in the store. */
  #messageDropped({ turn: no, message: ordinal }: Of<"message-dropped">): void {
    const turn = this.#turns.get(no);
    const open = turn?.open;
    if (!turn || !open) return;
    if (this.#leaf === open.id) this.#leaf = open.parentId;
    turn.open = null;
    turn.messages.delete(ordinal);
    this.#writes.push({ write: "message-drop", id: open.id });
    const { sessionId } = this.#ports;
    this.#event({ type: "message.dropped", sessionId, messageId: open.id, turnId: turn.id });
    this.#placeEntries();
  }

  // --- flows ------------------------------------------------------------------------------------------------------

  #flowOpened({ flow, root, turn: no }: Of<"flow-opened">): void {
    const { ids, sessionId } = this.#ports;
    const turnId = no === null ? null : (this.#turns.get(no)?.id ?? null);
    const placed = { id: ids.make("msg"), parentId: null, turnId, createdAt: this.#now() };
    this.#flows.set(flow, { ...placed, fold: startFold(placed.id), firstChunkAt: null, toolMs: null });
    this.#writes.push({ write: "message", row: rows.flowRow(placed, flow, root) });
    this.#event({
      type: "message.opened",
      sessionId,
      messageId: placed.id,
      ...(turnId === null ? {} : { turnId }),
      role: "assistant",
      parentId: null,
      flow: { toolCallId: root },
    });
  }
  #flowClosed({ flow, status }: Of<"flow-closed">): void {
    const open = this.#flows.get(flow);
    if (!open) return;
    this.#close(open, status, null, null);
    this.#flows.delete(flow);
  }

  // --- approvals, usage, history entries, notes -------------------------------------------------------------------

  #approvalOpened({ request, turn: no }: Of<"approval-opened">): void {
    const { sessionId } = this.#ports;
    const turn = no === null ? undefined : this.#turns.get(no);
    const { approval, toolCallId, toolName, input, durable } = request;
    const [turnId, messageId] = [turn?.id ?? null, turn?.open?.id ?? null];
    this.#approvals.set(approval, turnId);
    const call = { toolCallId, toolName, input, durable };
    const asked = this.#ports.asked(toolCallId);
    const row = { id: approval, sessionId, turnId, messageId, ...call, asked, how: null, answer: null, closedAt: null };
    this.#writes.push({ write: "approval", row: { ...row, createdAt: this.#now() } });
    const where = { ...(turnId === null ? {} : { turnId }), ...(messageId === null ? {} : { messageId }) };
    this.#event({
      type: "approval.requested",
      sessionId,
      approvalId: approval,
      ...where,
      ...call,
      ...(asked === null ? {} : { asked }),
    });
  }
  #approvalClosed({ approval, how, answer }: Of<"approval-closed">): void {
    const turnId = this.#approvals.get(approval) ?? null;
    this.#approvals.delete(approval);
    if (answer?.rule) this.#writes.push({ write: "rule", row: answer.rule });
    this.#writes.push({ write: "approval-close", id: approval, set: { how, answer, closedAt: this.#now() } });
    const { sessionId } = this.#ports;
    const turn = turnId === null ? {} : { turnId };
    this.#event({ type: "approval.closed", sessionId, approvalId: approval, ...turn, how, answer });
  }
  #usage({ usage, turn: no, message }: Of<"usage">): void {
    const { sessionId } = this.#ports;
    const turn = no === null ? undefined : this.#turns.get(no);
    const messageId = message === null ? null : (turn?.messages.get(message) ?? null);
    this.#writes.push({
      write: "usage",
      row: { sessionId, turnId: turn?.id ?? null, messageId, report: usage, at: this.#now() },
    });
    if (!turn || turn.requests.has(usage.requestId)) return;
    turn.requests.add(usage.requestId);
    turn.tokens = rows.addTokens(turn.tokens, usage.tokens);
  }
  #compaction({ state, done, detail }: Of<"compaction">): void {
    this.#session = { ...this.#session, compacting: state === "started" };
    if (done !== null) this.#entries.add({ row: (at) => rows.compactionRow(at, done) });
    this.#placeEntries();
    const { sessionId } = this.#ports;
    this.#event({ type: "compaction", sessionId, state, detail });
  }
  /** Entries stand on the branch, and a branch goes through closed messages: they wait for the open one. */
  #placeEntries(): void {
    if ([...this.#turns.values()].some((turn) => turn.open !== null)) return;
    for (const row of this.#entries.take(() => this.#place(null))) this.#writes.push({ write: "message", row });
  }
  #note(note: AgentNote, no: TurnNo | null): void {
    const turn = no === null ? undefined : this.#turns.get(no);
    if (note.kind === "tool-timing" && turn?.open)
      turn.open.toolMs = { ...turn.open.toolMs, [note.toolCallId]: note.durationMs };
    if (note.kind === "title") this.#session = { ...this.#session, title: note.title };
    const mode = note.kind === "config" ? modeOf(note.permissionMode) : null;
    if (mode !== null) this.#session = { ...this.#session, permissionMode: mode };
    const event = noteEvent(this.#ports.sessionId, turn?.id, note);
    if (event !== null) this.#event(event);
  }
}
