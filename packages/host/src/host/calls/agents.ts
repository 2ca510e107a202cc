/**
 * The agents of a host: named configurations, kept in memory and stored before anyone sees a change. Changes are made
 * one after the other. An API key goes to the secrets file, never into a row.
 */

import type { Clock } from "../../ports/clock.ts";
import type { AgentSessionRuntimeDriver } from "../../ports/driver.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Store } from "../../ports/store.ts";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { AgentId } from "../../protocol/ids.ts";
import { permissionModes } from "../../protocol/permission.ts";
import type { AgentRow, ProviderSettings } from "../../protocol/rows.ts";
import type { NewAgent } from "../api.ts";
import { checkedRule, checkedTarget } from "../permission/rule-notation.ts";
import type { Secrets } from "./secrets.ts";

type AgentPorts = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly drivers: ReadonlyMap<string, AgentSessionRuntimeDriver>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** A stored change of an agent that sessions may be running with; null: it was removed. */
  changed(before: AgentRow, after: AgentRow | null): void;
  /** Whether the agent's driver is there and has its credentials. */
  ready(agent: AgentRow): Promise<boolean>;
};
const defaultKey = "default-agent";

export class AgentDirectory {
  readonly #ports: AgentPorts;
  readonly #rows = new Map<AgentId, AgentRow>();
  #default: unknown = null;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(ports: AgentPorts, rows: readonly AgentRow[], byDefault: unknown) {
    this.#ports = ports;
    for (const row of rows) this.#rows.set(row.id, row);
    this.#default = byDefault;
  }
  static async open(ports: AgentPorts): Promise<AgentDirectory> {
    const { query } = ports.store;
    return new AgentDirectory(ports, await query.agents(), await query.setting(defaultKey));
  }

  byId(id: AgentId): AgentRow | undefined {
    return this.#rows.get(id);
  }
  list(): readonly AgentRow[] {
    return [...this.#rows.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }
  /** Rejects with `no-such-agent`. */
  get(idOrName: string): AgentRow {
    const found = this.#rows.get(idOrName) ?? this.list().find((row) => row.name === idOrName);
    if (found) return found;
    const names = this.list().map((row) => row.name);
    const known = names.length === 0 ? "There are none yet: add one first." : `Known agents: ${names.join(", ")}.`;
    throw new MooringError("no-such-agent", `There is no agent "${idOrName}". ${known}`, {
      detail: { agent: idOrName },
    });
  }
  /** The one a session gets that names none: the setting, else the first that is ready, those for a key first; or null. */
  async default(): Promise<AgentRow | null> {
    const set = typeof this.#default === "string" ? this.#rows.get(this.#default) : undefined;
    if (set) return set;
    const forKey = (row: AgentRow): boolean => row.provider.apiKeyEnv !== undefined;
    const all = this.list();
    for (const row of [...all.filter(forKey), ...all.filter((each) => !forKey(each))])
      if (await this.#ports.ready(row)) return row;
    return null;
  }
  setDefault(idOrName: string): Promise<void> {
    return this.#inTurn(async () => {
      const { id } = this.get(idOrName);
      await this.#ports.store.change([{ write: "setting", key: defaultKey, value: id }]);
      this.#default = id;
    });
  }
  add(agent: NewAgent): Promise<AgentRow> {
    return this.#inTurn(async () => {
      const { clock, ids } = this.#ports;
      const row = rowOf(agent, ids.make("agt"), clock.now());
      this.#check(row);
      await this.#save(row, agent.provider?.apiKey);
      return row;
    });
  }
  /** Rejects with `no-such-agent` or `bad-agent`. Warm connections are reconciled to the change. */
  update(idOrName: string, patch: Partial<NewAgent>): Promise<AgentRow> {
    return this.#inTurn(async () => {
      const before = this.get(idOrName);
      const row = patched(before, patch, this.#ports.clock.now());
      this.#check(row);
      await this.#save(row, patch.provider?.apiKey);
      this.#ports.changed(before, row);
      return row;
    });
  }
  remove(idOrName: string): Promise<void> {
    return this.#inTurn(async () => {
      const row = this.get(idOrName);
      await this.#ports.store.change([{ write: "agent-remove", id: row.id }]);
      this.#rows.delete(row.id);
      this.#ports.changed(row, null);
      await this.#ports.secrets.setApiKey(row.id, null);
    });
  }

  async #save(row: AgentRow, apiKey: string | undefined): Promise<void> {
    if (apiKey !== undefined) await this.#ports.secrets.setApiKey(row.id, apiKey === "" ? null : apiKey);
    await this.#ports.store.change([{ write: "agent", row }]);
    this.#rows.set(row.id, row);
  }
  #check(row: AgentRow): void {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(row.name))
      throw bad(
        "name",
        `"${row.name}" is no agent name: use 1 to 64 letters, digits, spaces, dots, dashes or underscores.`,
      );
    if (this.list().some((other) => other.id !== row.id && other.name === row.name))
      throw bad("name", `There is an agent "${row.name}" already. Choose another name, or change that one.`);
    if (!this.#ports.drivers.has(row.driver))
      throw bad(
        "driver",
        `There is no driver "${row.driver}". Known drivers: ${[...this.#ports.drivers.keys()].join(", ")}.`,
      );
    if (!permissionModes.includes(row.permissionMode))
      throw bad(
        "permissionMode",
        `"${row.permissionMode}" is no permission mode. Use one of ${permissionModes.join(", ")}.`,
      );
    checkRules(row);
  }
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => {}); // the caller hears of it
    return done;
  }
}
/** In one agent's configuration. */
const most = { rules: 200, alwaysAsk: 200 };
function checkRules({ rules, alwaysAsk, unattended }: AgentRow): void {
  if (!Array.isArray(rules) || rules.length > most.rules)
    throw bad("rules", `The rules of an agent are a list of at most ${most.rules}.`);
  if (!Array.isArray(alwaysAsk) || alwaysAsk.length > most.alwaysAsk)
    throw bad("alwaysAsk", `The tools that always ask are a list of at most ${most.alwaysAsk} names.`);
  if (unattended !== "deny" && unattended !== "wait")
    throw bad("unattended", "What becomes of unattended questions is deny or wait.");
  const checked = (field: string, check: () => void): void => {
    try {
      check();
    } catch (cause) {
      throw bad(field, messageOf(cause));
    }
  };
  for (const [at, rule] of rules.entries()) checked(`rules.${at}`, () => checkedRule(rule));
  for (const [at, tool] of alwaysAsk.entries()) checked(`alwaysAsk.${at}`, () => checkedTarget(tool, null));
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-agent", message, { detail: { field } });

function rowOf(agent: NewAgent, id: AgentId, at: number): AgentRow {
  const blank: AgentRow = {
    id,
    name: agent.name,
    driver: agent.driver,
    model: null,
    effort: null,
    instructions: null,
    permissionMode: "default",
    provider: {},
    mcpServers: {},
    disabledTools: [],
    rules: [],
    alwaysAsk: ["mcp__*"],
    unattended: "deny",
    defaultDelivery: "steer",
    queueAfter: "hold",
    onInterrupted: "wait",
    onResumeFailed: "ask",
    driverOptions: {},
    revision: 0,
    createdAt: at,
    updatedAt: at,
  };
  return patched(blank, agent, at);
}
function patched(row: AgentRow, patch: Partial<NewAgent>, at: number): AgentRow {
  const { provider, ...plain } = patch;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...row,
    ...given,
    provider: provider === undefined ? row.provider : withoutKey(provider),
    revision: row.revision + 1,
    updatedAt: at,
  };
}
function withoutKey({ apiKey: _, ...settings }: ProviderSettings & { readonly apiKey?: string }): ProviderSettings {
  return settings;
}
