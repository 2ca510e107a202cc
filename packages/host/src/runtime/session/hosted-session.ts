/**
 * The hosted session behind an `AgentSession`: there already, or made with its first input. Invariants: it is made once,
 * however many ask; a session that could not be made is tried again by the next who asks.
 */
import { MooringError, type SessionHost, type SessionId } from "../../index.ts";
import type { AgentOptions } from "../services/agent-choice.ts";
import { chooseAgent } from "../services/agent-choice.ts";
import type { AgentSessionServices } from "../services/create-services.ts";
import { renewKey } from "../services/renew-key.ts";
import type { SessionManager } from "../stored/session-manager.ts";

type Ports = {
  readonly host: SessionHost;
  readonly services: AgentSessionServices;
  readonly manager: SessionManager;
  readonly options: AgentOptions;
  /** Called once, before anybody is given the session. */
  made(id: SessionId): Promise<void>;
};

export class HostedSession {
  readonly host: SessionHost;
  readonly manager: SessionManager;
  readonly #ports: Ports;
  #id: SessionId | null = null;
  #making: Promise<SessionId> | null = null;
  /** A title that was set before there was a session. */
  title: string | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.host = ports.host;
    this.manager = ports.manager;
  }
  /** Null until it is made. */
  get id(): SessionId | null {
    return this.#id;
  }
  /** Of a session that is there already. */
  async found(id: SessionId): Promise<void> {
    await this.#ports.made(id);
    this.#id = id;
  }
  /** Throws `not-stored-yet`. */
  get stored(): SessionId {
    if (this.#id !== null) return this.#id;
    throw new MooringError("not-stored-yet", "The session has not been saved yet. Send a message first.");
  }
  /** Rejects with `no-model`, `login-not-refreshed`, and as the creation of a session does. */
  async ensure(): Promise<SessionId> {
    if (this.#id !== null) {
      await renewKey(this.#ports.services, this.host, this.#id);
      return this.#id;
    }
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }
  async #make(): Promise<SessionId> {
    const { host, manager, services, options } = this.#ports;
    const { agent, fallback } = await chooseAgent(host, services, options);
    if (agent === null) throw new MooringError("no-model", fallback ?? "No model is usable.");
    const session = {
      agent,
      workspace: manager.getCwd(),
      id: manager.getSessionId(),
      ...(this.title === undefined ? {} : { title: this.title }),
    };
    const { draft } = manager;
    const made = draft.isEmpty
      ? await host.create(session)
      : await host.import({ ...session, document: draft.document(this.title ?? null) });
    await this.#restrictTools(made.id, agent);
    await this.found(made.id);
    return made.id;
  }
  async #restrictTools(id: SessionId, agent: string): Promise<void> {
    const { host, options } = this.#ports;
    const { tools, excludeTools = [] } = options;
    if (tools === undefined) return;
    const others = (await host.tools(id)).map(({ name }) => name).filter((name) => !tools.includes(name));
    await host.agents.update(agent, { disabledTools: [...new Set([...excludeTools, ...others])] });
  }
}
