/**
 * Takes inputs: checks them, asks the embedder, stores them once, and says where they went. Invariants: nothing is
 * stored before everything was checked; the embedder's `admit` is asked in the order of the submits of a session; the
 * same id with the same body is one input, however often and however close together it comes.
 */
import { carriable } from "../../protocol/carriable.ts";
import { formatCursor } from "../../protocol/cursor.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { InputId, MessageId, SessionNo } from "../../protocol/ids.ts";
import type { Branch, Input, InputState, Part } from "../../protocol/input.ts";
import type { InputRow, MessageRow } from "../../protocol/rows.ts";
import type { Refusal } from "../../session/events.ts";
import type { NewInput, Receipt } from "../api.ts";
import { within } from "../connections/deadline.ts";
import { checkNativePlace, forksToRewind } from "../connections/native-rewind.ts";
import { agentGone, driverOf, SessionConfig } from "../connections/session-config.ts";
import { storedParts } from "../files/stored-parts.ts";
import type { HostContext } from "../host-context.ts";
import type { Answer } from "../sessions/replies.ts";
import type { Found, Sessions } from "../sessions/sessions.ts";
import { newestCursor } from "../viewers/event-stream.ts";
import { hashOf } from "./body-hash.ts";
import { checkBranch, checkInput, partsOf } from "./checked-input.ts";

type Submission = { readonly hash: string; readonly receipt: Promise<Receipt> };

export class Submits {
  readonly #context: HostContext;
  readonly #sessions: Sessions;
  /** The end of each session's line; a line is gone when it is empty. */
  readonly #lines = new Map<SessionNo, Promise<unknown>>();
  readonly #open = new Map<string, Submission>();

  constructor(context: HostContext, sessions: Sessions) {
    this.#context = context;
    this.#sessions = sessions;
  }

  /** Durable when it resolves. */
  async submit(id: string, said: NewInput): Promise<Receipt> {
    const given = carriable(said);
    checkInput(given);
    const found = await this.#sessions.find(id);
    const inputId = given.id ?? this.#context.ids.make("inp");
    const hash = bodyHash(given);
    const key = `${found.no}:${inputId}`;
    const twin = this.#open.get(key);
    if (twin) return this.#sameAs(twin, inputId, hash);
    const receipt = this.#first(found, inputId, hash, given).finally(() => this.#open.delete(key));
    this.#open.set(key, { hash, receipt });
    return receipt;
  }
  async #sameAs(twin: Submission, id: InputId, hash: string): Promise<Receipt> {
    if (twin.hash !== hash) throw conflict(id);
    return twin.receipt;
  }
  async #first(found: Found, id: InputId, hash: string, given: NewInput): Promise<Receipt> {
    const answer = await this.#inLine(found.no, async () => {
      const known = given.id === undefined ? null : await this.#context.store.query.input(found.no, id);
      return known ? this.#again(found.no, known, hash) : this.#admit(found, id, hash, given);
    });
    return "inputId" in answer ? answer : await this.#receipt(found.no, id, await answer.stored);
  }
  /** Present state of what was submitted before. */
  async #again(no: SessionNo, row: InputRow, hash: string): Promise<Receipt> {
    if (row.bodyHash !== hash) throw conflict(row.id);
    const { id: inputId, state, reason, turnId } = row;
    return {
      inputId,
      disposition: dispositionOf(state),
      state,
      ...(reason === null ? {} : { reason }),
      ...(turnId === null ? {} : { turnId }),
      cursor: await newestCursor(this.#context.store, no),
    };
  }

  // --- in line: until the core has it, not until it is stored -----------------------------------------------------

  #inLine<T>(no: SessionNo, work: () => Promise<T>): Promise<T> {
    const done = (this.#lines.get(no) ?? Promise.resolve()).then(work);
    const line = done
      .catch(() => {}) // the one who submitted hears of it
      .finally(() => this.#lines.get(no) === line && this.#lines.delete(no));
    this.#lines.set(no, line);
    return done;
  }
  async #admit(
    found: Found,
    id: InputId,
    hash: string,
    given: NewInput,
  ): Promise<Receipt | { stored: Promise<Answer> }> {
    const admitted = await this.#asked(found, given);
    if (admitted === null) return this.#handled(found.no, id);
    const { parts, branch, from } = await this.#checked(found, admitted);
    const { client } = given; // whatever the embedder made of the rest
    const input = {
      ...inputOf(this.#context, found, id, admitted, parts),
      branch: from,
      ...(client === undefined ? {} : { client }),
    };
    const session = await this.#sessions.use(found.no);
    session.learn(id, hash, branch);
    const stored = session.ask((to) => ({ type: "submit", to, input })).finally(() => session.forget(id));
    stored.catch(() => {}); // awaited outside the line
    return { stored };
  }
  /** What the embedder makes of it; null: it took it over. */
  async #asked(found: Found, input: NewInput): Promise<NewInput | null> {
    const { hooks, clock, log, limits } = this.#context;
    if (!hooks.admit) return input;
    const patience = { clock, log, ms: limits.hookMs, what: "admit", otherwise: { do: "pass" } as const };
    type Verdict = Awaited<ReturnType<NonNullable<typeof hooks.admit>>>;
    const call = { sessionId: found.row.id, input };
    const verdict = await within<Verdict>(patience, async () => (await hooks.admit?.(call)) ?? { do: "pass" });
    if (verdict.do === "handled") return null;
    return verdict.do === "transform" ? verdict.input : input;
  }
  async #checked(
    { row, no }: Found,
    input: NewInput,
  ): Promise<{
    readonly parts: readonly Part[];
    readonly branch: { message: MessageId; parent: MessageId | null } | null;
    readonly from: Branch | null;
  }> {
    checkInput(input);
    const parts = partsOf(input, this.#context.limits.inputBytes);
    const config = new SessionConfig(this.#context, row);
    if (!config.agent) throw agentGone(row);
    const driver = driverOf(this.#context, row.driver);
    await driver.validateSession(config.facts({ model: input.model ?? null, effort: input.effort ?? null }));
    if (input.branch) checkBranch(input.branch, driver);
    const stored = await storedParts(this.#context.files, parts);
    if (!input.branch) return { parts: stored, branch: null, from: null };
    const point = await this.#branchPoint(no, input.branch);
    const branch = { message: point.id, parent: point.parentId };
    if (!forksToRewind(this.#context, row)) return { parts: stored, branch, from: input.branch };
    // What its own history ends with cannot be answered again: it is asked again.
    const isAgain = input.branch.position === "at" && stored.length === 0;
    const from: Branch = isAgain ? { messageId: point.id, position: "before" } : input.branch;
    await checkNativePlace(this.#context, no, row, from);
    return { parts: isAgain ? partsOf({ parts: point.parts }, this.#context.limits.inputBytes) : stored, branch, from };
  }
  async #branchPoint(no: SessionNo, { messageId }: Branch): Promise<MessageRow> {
    const row = await this.#context.store.query.message(no, messageId);
    if (row?.role === "user") return row;
    throw new MooringError(
      "no-such-message",
      `There is no user message "${messageId}" in this session to go back to.`,
      {
        detail: { message: messageId },
      },
    );
  }

  // --- receipts ---------------------------------------------------------------------------------------------------

  async #handled(no: SessionNo, inputId: InputId): Promise<Receipt> {
    const cursor = await newestCursor(this.#context.store, no);
    return { inputId, disposition: "handled", state: "handled", cursor };
  }
  async #receipt(no: SessionNo, inputId: InputId, { answer, turnId, before }: Answer): Promise<Receipt> {
    if (answer.kind === "refused") {
      if (answer.why === "duplicate") throw conflict(inputId);
      throw refusal(answer.why);
    }
    if (answer.kind !== "accepted") throw refusal("unavailable");
    const { store } = this.#context;
    const { disposition } = answer;
    const cursor =
      before === null ? await newestCursor(store, no) : formatCursor({ store: store.id, session: no, seq: before });
    return { inputId, disposition, state: disposition, ...(turnId === null ? {} : { turnId }), cursor };
  }
}

function inputOf(context: HostContext, { row }: Found, id: InputId, given: NewInput, parts: readonly Part[]): Input {
  return {
    id,
    agentKey: context.ids.uuid(),
    delivery: given.delivery ?? context.agents.byId(row.agentId)?.defaultDelivery ?? "queue",
    parts,
    model: given.model ?? null,
    effort: given.effort ?? null,
    headless: given.headless ?? false,
    branch: given.branch ?? null,
    author: given.author ?? null,
    origin: "user",
  };
}
/** Of what the client sent, who sent it and under which id apart. */
const bodyHash = ({ id: _, author: __, ...body }: NewInput): string => hashOf(body);

function dispositionOf(state: InputState): Receipt["disposition"] {
  switch (state) {
    case "queued":
    case "held":
    case "offered":
    case "started":
      return state;
    case "taken":
      return "offered";
    default:
      return "ended";
  }
}
const conflict = (id: InputId): MooringError =>
  new MooringError("conflict", `An input "${id}" with another body is stored already. Use a new id.`, {
    detail: { inputId: id },
  });

const words: { readonly [Why in Refusal]: string } = {
  "session-busy": "The session is busy. Wait for its turn to end, or let the input queue.",
  "queue-full": "Too many inputs wait already. Cancel some, or wait.",
  duplicate: "An input with this id is stored already.",
  "not-waiting": "The input does not wait.",
  "too-late": "It is too late: the agent has it.",
  "not-open": "The approval is not open any more.",
  "not-running": "The turn is not running.",
  "not-held": "The input is not held.",
  unsupported: "The agent cannot do that.",
  unavailable: "The session cannot be written to right now. Nothing was stored; try again.",
};
const retries: Partial<Record<Refusal, "later">> = {
  unavailable: "later",
  "session-busy": "later",
  "queue-full": "later",
};
/** The core's no, as an error. */
export const refusal = (why: Refusal, message = words[why]): MooringError =>
  new MooringError(why, message, { retry: retries[why] ?? "never" });
