/**
 * The configuration one loaded session runs with: its agent's, the session's own mode over it, and for the time of a
 * turn the model and effort its input asked for. Invariants: a turn keeps the mode it started with as an upper bound;
 * the revision rises with every change a warm connection must hear of.
 */
import { homedir } from "node:os";
import type { AgentSessionRuntimeDriver, Credentials, SessionFacts, SessionTarget } from "../../ports/driver.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { TurnId } from "../../protocol/ids.ts";
import type { Input } from "../../protocol/input.ts";
import type { PermissionMode } from "../../protocol/permission.ts";
import type { AgentRow, SessionRow } from "../../protocol/rows.ts";
import type { Target } from "../../session/state.ts";
import type { HostContext } from "../host-context.ts";
import { stricter } from "../permission/decide.ts";
import type { Bounds } from "../permission/judge-call.ts";
import { configuredRule, type Policy, storedRule } from "../permission/verdict.ts";
import { materializePrompt, promptSlots, type WorkspaceText } from "../prompt/materialize-prompt.ts";
import { homeOf } from "./agent-home.ts";

/** What the prompt of a connection says beside the agent's instructions. */
export type Told = { readonly workspace: readonly WorkspaceText[]; readonly transcript: string | null };
type Choice = { readonly model: string | null; readonly effort: string | null };

export class SessionConfig {
  readonly #context: HostContext;
  /** What each turn that runs may at most have: the policy when it began. */
  readonly #atStart = new Map<TurnId, Policy>();
  #row: SessionRow;
  #revision = 1;
  #asked: Choice = { model: null, effort: null };
  #given: Choice | null = null;
  /** Of the connection there is, as of when it was made: a change of a file is for the next one. */
  #told: Told = { workspace: [], transcript: null };

  constructor(context: HostContext, row: SessionRow) {
    this.#context = context;
    this.#row = row;
  }

  get row(): SessionRow {
    return this.#row;
  }
  change(set: Partial<SessionRow>): void {
    this.#row = { ...this.#row, ...set };
  }
  /** Undefined when it was removed. */
  get agent(): AgentRow | undefined {
    return this.#context.agents.byId(this.#row.agentId);
  }
  get mode(): PermissionMode {
    return this.#row.permissionMode ?? this.agent?.permissionMode ?? "plan";
  }
  /** The stricter of now and of every turn that runs. */
  get bindingMode(): PermissionMode {
    return [...this.#atStart.values()].map(({ mode }) => mode).reduce(stricter, this.mode);
  }

  // --- what drivers get -------------------------------------------------------------------------------------------

  /** Throws `agent-gone` or `agent-incomplete`, with what to do. */
  facts(asked: Choice = this.#asked): SessionFacts {
    const agent = this.agent;
    if (!agent) throw agentGone(this.#row);
    const model = asked.model ?? agent.model;
    if (model === null)
      throw new MooringError(
        "agent-incomplete",
        `The agent "${agent.name}" has no model. Set one on the agent, or name one with the input.`,
        {
          detail: { agent: agent.id, field: "model" },
        },
      );
    const { id: sessionId, workspace, resumeToken } = this.#row;
    const effort = asked.effort ?? agent.effort;
    const credentials = credentialsOf(this.#context, agent);
    return { sessionId, workspace, model, effort, credentials, options: agent.driverOptions, resumeToken };
  }
  target(): SessionTarget {
    const { model, effort } = this.facts();
    const agent = this.agent;
    this.#given = this.#choice(this.#asked);
    return {
      model,
      effort,
      permissionMode: this.bindingMode,
      disabledTools: agent?.disabledTools ?? [],
      prompt: this.#prompt(agent),
      mcpServers: agent?.mcpServers ?? {},
    };
  }
  /** What must not be shown to anyone. */
  secrets(): readonly string[] {
    const { agent } = this;
    const key = agent === undefined ? null : credentialsOf(this.#context, agent).apiKey;
    return key === null || key === "" ? [] : [key];
  }
  /** A connection is being made: until the next one, its prompt says this. */
  tell(told: Told): void {
    this.#told = told;
  }
  #prompt(agent: AgentRow | undefined): SessionTarget["prompt"] {
    const { workspace, transcript } = this.#told;
    return materializePrompt(promptSlots({ instructions: agent?.instructions ?? null, workspace }), transcript);
  }

  // --- what calls are judged by -----------------------------------------------------------------------------------

  /** Of a call in this turn, at this moment. */
  bounds(turn: TurnId | null): Bounds {
    const now = this.#policy();
    // a turn the agent began goes by a name of its own there: it is the last that began
    const began = turn === null ? undefined : (this.#atStart.get(turn) ?? [...this.#atStart.values()].at(-1));
    // what a person allowed in answer to a question of this turn is for this turn too
    const since = now.rules.filter(({ effect, stored }) => effect === "allow" && stored?.approvalId != null);
    const { dataDir } = this.#context;
    return {
      now,
      atStart: began === undefined ? null : { ...began, rules: [...began.rules, ...since] },
      place: { workspace: this.#row.workspace, home: homeOf(dataDir, this.#row.agentId), dataDir, userHome: homedir() },
    };
  }
  #policy(): Policy {
    const { agent } = this;
    const { id, agentId } = this.#row;
    const stored = this.#context.rules.holding(id, agentId).map(storedRule);
    return {
      mode: this.mode,
      disabledTools: agent?.disabledTools ?? [],
      alwaysAsk: agent?.alwaysAsk ?? [],
      rules: [...stored, ...(agent?.rules ?? []).map(configuredRule)],
    };
  }

  // --- what the core gets -----------------------------------------------------------------------------------------

  coreTarget(): Omit<Target, "tighten"> {
    const { hooks } = this.#context;
    return {
      revision: this.#revision,
      queueAfter: this.agent?.queueAfter ?? "hold",
      onResumeFailed: this.agent?.onResumeFailed ?? "ask",
      hooks: { beforeTurn: hooks.beforeTurn !== undefined, beforeSettle: hooks.beforeSettle !== undefined },
      unattended: this.agent?.unattended ?? "deny",
    };
  }
  nextRevision(): void {
    this.#revision++;
  }
  /** True when a connection made or reconciled before this turn has another model or effort than its input asks for. */
  turnOpened(turn: TurnId, input: Input | null): boolean {
    this.turnGoesOn(turn);
    if (input === null) return false; // the agent's own: it runs with what it has
    this.#asked = { model: input.model, effort: input.effort };
    const now = this.#choice(this.#asked);
    return this.#given !== null && (this.#given.model !== now.model || this.#given.effort !== now.effort);
  }
  /** A turn that began before the session was loaded: what it may have at most is what is configured now. */
  turnGoesOn(turn: TurnId): void {
    this.#atStart.set(turn, this.#policy());
  }
  turnSettled(turn: TurnId): void {
    this.#atStart.delete(turn);
    if (this.#atStart.size === 0) this.#asked = { model: null, effort: null };
  }
  modelFor(input: Input | null): string | null {
    return input?.model ?? this.agent?.model ?? null;
  }
  #choice(asked: Choice): Choice {
    return { model: asked.model ?? this.agent?.model ?? null, effort: asked.effort ?? this.agent?.effort ?? null };
  }
}
/** Throws `driver-unknown`. */
export function driverOf({ drivers }: Pick<HostContext, "drivers">, type: string): AgentSessionRuntimeDriver {
  const driver = drivers.get(type);
  if (driver) return driver;
  throw new MooringError("driver-unknown", `This host has no driver "${type}". Start it with that driver.`, {
    detail: { driver: type },
  });
}
export const agentGone = (row: SessionRow): MooringError =>
  new MooringError("agent-gone", "The agent of this session was removed. Start a new session with another agent.", {
    detail: { agent: row.agentId },
  });
/** Read at the moment of use: a key may change while the session lives. */
export function credentialsOf(context: Pick<HostContext, "secrets" | "env">, agent: AgentRow): Credentials {
  const { kind, baseUrl, apiKeyEnv } = agent.provider;
  const fromEnv = apiKeyEnv === undefined ? undefined : context.env[apiKeyEnv];
  return {
    provider: kind ?? agent.driver,
    apiKey: context.secrets.apiKey(agent.id) ?? fromEnv ?? null,
    baseUrl: baseUrl ?? null,
  };
}
