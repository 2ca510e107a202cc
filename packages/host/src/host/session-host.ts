/** The public face of a host over its parts. Every method is a few calls; what they mean is in `api.ts`. */
import { carriable } from "../protocol/carriable.ts";
import { MooringError } from "../protocol/errors.ts";
import type { TurnId } from "../protocol/ids.ts";
import type { Command } from "../session/events.ts";
import type * as api from "./api.ts";
import { answerApproval } from "./calls/answers.ts";
import { chatFacts } from "./calls/chat-facts.ts";
import { drain, type Holds } from "./calls/holds.ts";
import { inputsOf } from "./calls/inputs-of.ts";
import { createSession } from "./calls/new-session.ts";
import { rulesOf } from "./calls/rules.ts";
import { removeSession, restoreSession, type SessionPatch, updateSession } from "./calls/session-changes.ts";
import { viewOf } from "./calls/session-view.ts";
import type { Shutdown } from "./calls/shutdown.ts";
import { refusal, type Submits } from "./calls/submit.ts";
import { treeOf } from "./calls/tree.ts";
import { usageTotals } from "./calls/usage-totals.ts";
import type { Workspaces } from "./calls/workspaces.ts";
import { childEnvironment, homeOf } from "./connections/agent-home.ts";
import { contextUsage } from "./connections/context-usage.ts";
import { ownToolsOf, toolInfo } from "./connections/own-tools.ts";
import { readinessOf } from "./connections/readiness.ts";
import { credentialsOf, driverOf, SessionConfig } from "./connections/session-config.ts";
import { backUp } from "./copies/back-up.ts";
import { exportSession } from "./copies/export-session.ts";
import { forkSession } from "./copies/fork-session.ts";
import { importSession } from "./copies/import-session.ts";
import { noSuchFile } from "./files/files.ts";
import type { HostContext } from "./host-context.ts";
import { keepAlive } from "./keep-alive.ts";
import type { LoadedSession } from "./sessions/loaded-session.ts";
import type { Found, Sessions } from "./sessions/sessions.ts";
import { byteStream } from "./viewers/byte-stream.ts";
import type { ByteSink } from "./viewers/byte-writer.ts";
import { bytesOf, eventsOf, newestCursor } from "./viewers/event-stream.ts";
import { readSnapshot } from "./viewers/subscriber.ts";
import { watchSessions } from "./viewers/watch.ts";

const pageSize = 50;

type HostParts = {
  readonly context: HostContext;
  readonly sessions: Sessions;
  readonly holds: Holds;
  readonly submits: Submits;
  readonly workspaces: Workspaces;
  readonly shutdown: Shutdown;
};

export class Host implements api.SessionHost {
  readonly agents: api.SessionHost["agents"];
  readonly tree: api.SessionHost["tree"];
  readonly rules: api.SessionHost["rules"];
  readonly #parts: HostParts;
  readonly #context: HostContext;
  readonly #sessions: Sessions;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#context = parts.context;
    this.#sessions = parts.sessions;
    const { agents } = parts.context;
    this.rules = rulesOf(parts.context, parts.sessions);
    this.tree = treeOf(parts.context, parts.sessions);
    this.agents = {
      add: (agent) => agents.add(carriable(agent)),
      get: async (idOrName) => agents.get(idOrName),
      list: async () => agents.list(),
      update: (idOrName, patch) => agents.update(idOrName, carriable(patch)),
      remove: (idOrName) => agents.remove(idOrName),
      setDefault: (idOrName) => agents.setDefault(idOrName),
      default: () => agents.default(),
    };
  }

  // --- sessions ---------------------------------------------------------------------------------------------------

  async create(session: api.NewSession) {
    this.#parts.shutdown.refuseIfBegun();
    return this.#view(await createSession(this.#context, this.#parts.workspaces, carriable(session)));
  }
  async get(id: string) {
    return this.#view(await this.#sessions.find(id));
  }
  list(q: Parameters<api.SessionHost["list"]>[0] = {}) {
    return this.#context.store.query.sessions({ ...q, limit: q.limit ?? pageSize });
  }
  async update(id: string, patch: SessionPatch) {
    return this.#view(await updateSession(this.#context, this.#sessions, id, carriable(patch)));
  }
  async remove(id: string) {
    await removeSession(this.#context, this.#sessions, id);
  }
  async restore(id: string) {
    return this.#view(await restoreSession(this.#context, this.#sessions, id));
  }
  async messages(id: string, page: Parameters<api.SessionHost["messages"]>[1] = {}) {
    const { no } = await this.#sessions.find(id);
    return this.#context.store.messages(no, { ...page, limit: page.limit ?? pageSize });
  }
  async turns(id: string, turnIds: readonly TurnId[]) {
    const { turnsAsked } = this.#context.limits;
    if (turnIds.length > turnsAsked)
      throw new MooringError("bad-query", `At most ${turnsAsked} turns are given at once.`, {
        detail: { field: "ids" },
      });
    return this.#context.store.query.turnReports((await this.#sessions.find(id)).no, turnIds);
  }
  async usage(id: string) {
    return this.#context.store.query.usage((await this.#sessions.find(id)).no);
  }
  async fork(id: string, fork: api.Fork = {}) {
    this.#parts.shutdown.refuseIfBegun();
    return this.#view(await forkSession(this.#context, this.#sessions, id, fork));
  }
  export(id: string, format: api.ExportFormat) {
    return exportSession(this.#context, this.#sessions, id, format);
  }
  async import(source: api.ImportSource) {
    this.#parts.shutdown.refuseIfBegun();
    return this.#view(await importSession(this.#context, this.#parts.workspaces, source));
  }
  usageTotals(q: Parameters<api.SessionHost["usageTotals"]>[0]) {
    return usageTotals(this.#context, q);
  }
  async context(id: string) {
    const { no } = await this.#sessions.find(id);
    return contextUsage(this.#context, no, this.#sessions.peek(no));
  }
  async tools(id: string) {
    const { row } = await this.#sessions.find(id);
    const driver = driverOf(this.#context, row.driver);
    const known = await driver.listAvailableTools(new SessionConfig(this.#context, row).facts());
    return [...known, ...ownToolsOf(this.#context, row).map(toolInfo)];
  }
  #view(found: Found) {
    return viewOf(this.#context, found, this.#sessions.peek(found.no));
  }

  // --- inputs and turns -------------------------------------------------------------------------------------------

  async submit(id: string, input: api.NewInput) {
    this.#parts.shutdown.refuseIfBegun();
    return this.#parts.submits.submit(id, input);
  }
  inputs(id: string) {
    return inputsOf(this.#context, this.#sessions, id);
  }
  chat(id: string) {
    return chatFacts(this.#context, this.#sessions, id);
  }
  async stop(id: string, turnId: TurnId): Promise<api.StopOutcome> {
    const session = await this.#use(id);
    const turn = session.turnNo(turnId);
    if (turn === undefined) return this.#overAlready(id, turnId);
    const { answer } = await session.ask((to) => ({ type: "stop", to, turn }));
    if (answer.kind === "refused" && answer.why !== "not-running") throw refusal(answer.why);
    return { outcome: answer.kind === "done" ? "stopping" : "not-running" };
  }
  async #overAlready(id: string, turnId: TurnId): Promise<api.StopOutcome> {
    if ((await this.#context.store.query.turn((await this.#sessions.find(id)).no, turnId)) !== null)
      return { outcome: "not-running" };
    throw new MooringError("no-such-turn", `There is no turn "${turnId}" in this session.`, {
      detail: { turn: turnId },
    });
  }
  async answer(id: string, answer: api.NewAnswer) {
    this.#parts.shutdown.refuseIfClosing();
    return answerApproval(this.#context, this.#sessions, id, answer);
  }
  approvals(q: Parameters<api.SessionHost["approvals"]>[0] = {}) {
    return this.#context.store.query.approvals(q);
  }
  async resume(id: string, choice: "retry" | "fresh" | "fresh-with-transcript") {
    await this.#command(id, (to) => ({ type: "resume", to, how: choice === "retry" ? "token" : choice }));
  }
  async compact(id: string, text?: string) {
    await this.#command(id, (to) => ({ type: "compact", to, text: text ?? null }));
  }
  async stopCompaction(id: string) {
    await this.#command(id, (to) => ({ type: "stop-compaction", to }));
  }
  async close(id: string) {
    await this.#command(id, (to) => ({ type: "close", to }));
  }
  async #use(id: string): Promise<LoadedSession> {
    return this.#sessions.use((await this.#sessions.find(id)).no);
  }
  async #command(id: string, command: (to: string) => Command): Promise<void> {
    this.#parts.shutdown.refuseIfClosing();
    const { answer } = await (await this.#use(id)).ask(command);
    if (answer.kind === "refused") throw refusal(answer.why);
  }

  // --- events -----------------------------------------------------------------------------------------------------

  events(id: string, o: Parameters<api.SessionHost["events"]>[1] = {}) {
    return eventsOf(this.#context, this.#sessions, id, o);
  }
  bytes(id: string, o: Parameters<api.SessionHost["bytes"]>[1] = {}) {
    return byteStream((sink, signal) => this.writeBytes(id, sink, { ...o, signal }), o.signal);
  }
  writeBytes(id: string, sink: ByteSink, o: Parameters<api.SessionHost["writeBytes"]>[2] = {}) {
    return bytesOf(this.#context, this.#sessions, id, sink, o);
  }
  watch({ signal }: { readonly signal?: AbortSignal } = {}) {
    return watchSessions(this.#context, signal);
  }
  async cursor(id: string) {
    return newestCursor(this.#context.store, (await this.#sessions.find(id)).no);
  }
  async snapshot(id: string) {
    const { row, no } = await this.#sessions.find(id);
    return (await readSnapshot({ store: this.#context.store, session: no, sessionId: row.id })).snapshot;
  }

  // --- files ------------------------------------------------------------------------------------------------------

  putFile(file: api.NewFile) {
    return this.#context.files.put(file);
  }
  async file(fileId: string): Promise<api.StoredFile> {
    const { files } = this.#context;
    const row = await files.find(fileId);
    const bytes = row && (await files.bytes(row));
    if (row && bytes) return { ...row, bytes };
    throw noSuchFile(fileId);
  }
  directories(path?: string) {
    return this.#parts.workspaces.directories(path);
  }

  // --- the host ---------------------------------------------------------------------------------------------------

  capabilities(driver: string) {
    return driverOf(this.#context, driver).capabilities;
  }
  async drivers(): Promise<readonly api.DriverInfo[]> {
    return Promise.all([...this.#context.drivers.keys()].map((type) => this.#driverInfo(type)));
  }
  async #driverInfo(type: string): Promise<api.DriverInfo> {
    const driver = driverOf(this.#context, type);
    const agent = this.#context.agents.list().find((row) => row.driver === type);
    const home = homeOf(this.#context.dataDir, agent?.id ?? type);
    const credentials = agent ? credentialsOf(this.#context, agent) : { provider: type, apiKey: null, baseUrl: null };
    return {
      type,
      readiness: await readinessOf(driver, { credentials, env: childEnvironment(this.#context.env, home), home }),
    };
  }
  backup(path: string) {
    return backUp(this.#context, path);
  }
  pause(reason: string) {
    return this.#parts.holds.pause(reason);
  }
  drainInFlight({ timeoutMs }: { readonly timeoutMs: number }) {
    const { clock, log } = this.#context;
    const held = Object.keys(this.#parts.holds.current()).length > 0;
    return keepAlive(() => drain(this.#sessions, { clock, log, held }, timeoutMs));
  }
  listActiveWork(): readonly api.Work[] {
    return [...this.#sessions.loaded].flatMap((session) => session.work());
  }
  shutdown({ graceMs }: { readonly graceMs?: number } = {}) {
    return this.#parts.shutdown.begin(graceMs ?? this.#context.limits.shutdownGraceMs);
  }
}
