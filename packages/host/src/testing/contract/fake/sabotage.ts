/**
 * Breaks one rule of a driver that keeps them all: what it is given, what it answers and what it tells pass through
 * here. Whatever a sabotage leaves alone is as the driver does it.
 */
import type {
  AgentRuntimeConnection,
  AgentRuntimeEvent,
  AgentSessionRuntimeDriver,
  ConnectInput,
  DriverFactory,
  DriverPorts,
} from "../../../ports/driver.ts";
import { PushStream } from "../../push-stream.ts";
import type { ContractAdapter } from "../adapter.ts";
import type { FakeKind } from "./fake-adapter.ts";

export type BrokenLink = {
  readonly calls?: Partial<AgentRuntimeConnection>;
  /** What is told instead of an event. */
  readonly tell?: (event: AgentRuntimeEvent) => readonly AgentRuntimeEvent[];
  /** What is told after the last event. */
  readonly atEnd?: () => readonly AgentRuntimeEvent[];
  /** Its events never end. */
  readonly endless?: boolean;
};
export type LinkTools = {
  readonly inner: AgentRuntimeConnection;
  readonly input: ConnectInput;
  readonly ports: DriverPorts;
  /** Tells an event of the sabotage's own. */
  emit(event: AgentRuntimeEvent): void;
};
export type Sabotage = {
  /** What the driver does wrong. */
  readonly what: string;
  /** The fake it is done to; default `fake`. */
  readonly kind?: FakeKind;
  /** It shows by something that never comes. */
  readonly hangs?: boolean;
  readonly adapter?: Partial<ContractAdapter>;
  readonly driver?: (driver: AgentSessionRuntimeDriver, ports: DriverPorts) => Partial<AgentSessionRuntimeDriver>;
  /** Made once per driver: what it is given instead of the connect input. */
  readonly input?: () => (input: ConnectInput) => ConnectInput;
  readonly link?: (tools: LinkTools) => BrokenLink;
  /** Its connections have no `compact`. */
  readonly withoutCompact?: boolean;
};

export function sabotaged(adapter: ContractAdapter, sabotage: Sabotage): ContractAdapter {
  const driver: DriverFactory = (ports) => brokenDriver(adapter.driver(ports), ports, sabotage);
  return { ...adapter, driver, ...sabotage.adapter };
}

function brokenDriver(
  driver: AgentSessionRuntimeDriver,
  ports: DriverPorts,
  sabotage: Sabotage,
): AgentSessionRuntimeDriver {
  const given = sabotage.input?.() ?? ((input: ConnectInput) => input);
  const broken: AgentSessionRuntimeDriver = {
    ...driver,
    connect: async (input) => {
      const inner = await driver.connect(given(input));
      return brokenLink(inner, input, ports, sabotage);
    },
  };
  return { ...broken, ...sabotage.driver?.(broken, ports) };
}

function brokenLink(
  inner: AgentRuntimeConnection,
  input: ConnectInput,
  ports: DriverPorts,
  { link, withoutCompact = false }: Sabotage,
): AgentRuntimeConnection {
  const events = new PushStream<AgentRuntimeEvent>();
  const emit = (event: AgentRuntimeEvent): void => events.push(event);
  const broken: BrokenLink = link?.({ inner, input, ports, emit }) ?? {};
  void pump(inner, events, broken); // never rejects
  const { redirect, withdraw, compact, getContextUsage } = inner;
  return {
    capabilities: inner.capabilities,
    events,
    send: (turn) => inner.send(turn),
    abortTurn: (turnId) => inner.abortTurn(turnId),
    reconcile: (target) => inner.reconcile(target),
    answerApproval: (id, decision) => inner.answerApproval(id, decision),
    close: (reason) => inner.close(reason),
    ...(redirect === undefined ? {} : { redirect: redirect.bind(inner) }),
    ...(withdraw === undefined ? {} : { withdraw: withdraw.bind(inner) }),
    ...(compact === undefined || withoutCompact ? {} : { compact: compact.bind(inner) }),
    ...(getContextUsage === undefined ? {} : { getContextUsage: getContextUsage.bind(inner) }),
    ...broken.calls,
  };
}
async function pump(
  { events }: AgentRuntimeConnection,
  to: PushStream<AgentRuntimeEvent>,
  { tell = (event) => [event], atEnd = () => [], endless = false }: BrokenLink,
): Promise<void> {
  try {
    for await (const event of events) for (const told of tell(event)) to.push(told);
    for (const told of atEnd()) to.push(told);
    if (!endless) to.end();
  } catch (cause) {
    to.end(cause);
  }
}
