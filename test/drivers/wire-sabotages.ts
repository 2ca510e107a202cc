/**
 * Drivers that break the rules of the wire, each by one bad habit: the minimal driver, reading its agent through
 * something that spoils what comes.
 */
import { PassThrough, Transform } from "node:stream";
import type { AgentRuntimeEvent, ChildHandle, DriverFactory, TurnId } from "@mooring/host/driver";
import { type ContractAdapter, type Fault, passLine, WireTap } from "@mooring/host/testing";
import { minimalAdapter } from "../../examples/minimal-driver/minimal-adapter.ts";
import { minimalDriver } from "../../examples/minimal-driver/minimal-driver.ts";
import { type Sabotage, sabotaged } from "../../packages/host/src/testing/contract/fake/sabotage.ts";
import type { RequirementId } from "../../packages/host/src/testing/contract/requirements.ts";

type WireId = Extract<RequirementId, `${"wire" | "child"}/${string}`>;
export type WireSabotage = Omit<Sabotage, "adapter"> & { readonly adapter?: Partial<ContractAdapter> };

/** Bytes of a line: a limit of its own, so that the case is quick. */
const shortLimit = 1_048_576;
const never = <T>(): Promise<T> => new Promise<T>(() => {});
/** The minimal driver, whose children pass through here. */
const reading =
  (through: (child: ChildHandle) => ChildHandle): DriverFactory =>
  (ports) => {
    const spawn: typeof ports.processes.spawn = async (options) => through(await ports.processes.spawn(options));
    return minimalDriver()({ ...ports, processes: { spawn, list: () => ports.processes.list() } });
  };
/** A reader that sees lines as this fault leaves them. */
const readingLines = (fault: () => Fault): Partial<ContractAdapter> => ({
  driver: reading((child) => {
    const tap = new WireTap();
    tap.arm(fault());
    return tap.wrap(child);
  }),
});
const withOutput = (child: ChildHandle, stdout: ChildHandle["stdout"]): ChildHandle => ({
  pid: child.pid,
  stdin: child.stdin,
  stdout,
  stderr: child.stderr,
  exited: child.exited,
  end: (graceMs) => child.end(graceMs),
});
const isRecord = (line: Buffer): boolean => {
  try {
    return typeof JSON.parse(line.toString()) === "object";
  } catch {
    return false;
  }
};

type TurnRecord = { readonly type: string; readonly id: string };
function turnRecordOf(line: Buffer): TurnRecord | null {
  const value: unknown = isRecord(line) ? JSON.parse(line.toString()) : null;
  if (typeof value !== "object" || value === null || !("type" in value && "id" in value)) return null;
  return { type: String(value.type), id: String(value.id) };
}

/** Tells an event of its own at some of the agent's records. `seen`: the turn's records of that type, this one too. */
function overhearing(
  type: string,
  make: (turnId: TurnId, seen: number, isOver: boolean) => AgentRuntimeEvent | null,
): Pick<WireSabotage, "adapter" | "link"> {
  const listeners: ((line: Buffer) => void)[] = [];
  const adapter = readingLines(() => (line, wire, nth) => {
    passLine(line, wire, nth);
    for (const listen of listeners) listen(line);
  });
  const link: WireSabotage["link"] = ({ emit }) => {
    const [over, seen] = [new Set<TurnId>(), new Map<TurnId, number>()];
    listeners.push((line) => {
      const record = turnRecordOf(line);
      if (record?.type !== type) return;
      const count = (seen.get(record.id) ?? 0) + 1;
      seen.set(record.id, count);
      const event = make(record.id, count, over.has(record.id));
      if (event !== null) emit(event);
    });
    return {
      tell: (event) => {
        if (event.type === "turn-complete") over.add(event.turnId);
        return [event];
      },
    };
  };
  return { adapter, link };
}

/** Tells the turn as completed when the events end. */
const completingAtEnd: WireSabotage["link"] = ({ inner }) => {
  let turnId: TurnId = "";
  return {
    atEnd: () => [{ type: "turn-complete", turnId, outcome: "completed", answered: [] }],
    calls: {
      send: (turn) => {
        turnId = turn.turnId;
        return inner.send(turn);
      },
    },
  };
};

export const wireSabotages: Readonly<Record<WireId, WireSabotage>> = {
  "child/killed": { what: "completes the silent turn in which its agent was killed", link: completingAtEnd },
  "child/killed-at-rest": {
    what: "takes a prompt for an agent that is gone",
    link: ({ inner }) => ({ calls: { send: (turn) => inner.send(turn).catch(() => undefined) } }),
  },
  "wire/killed-opening": {
    what: "waits for ever for an agent that died",
    hangs: true,
    driver: (driver) => ({ connect: (input) => driver.connect(input).catch(() => never()) }),
  },
  "wire/killed": {
    what: "completes the turn in which its agent died",
    link: completingAtEnd,
  },
  "wire/silent": {
    what: "closes when the agent has answered",
    hangs: true,
    link: ({ inner }) => {
      const ends = new Map<TurnId, PromiseWithResolvers<void>>();
      return {
        tell: (event) => {
          if (event.type === "turn-complete") ends.get(event.turnId)?.resolve();
          return [event];
        },
        calls: {
          send: (turn) => {
            ends.set(turn.turnId, Promise.withResolvers<void>());
            return inner.send(turn);
          },
          close: async (reason) => {
            await Promise.all([...ends.values()].map(({ promise }) => promise));
            return inner.close(reason);
          },
        },
      };
    },
  },
  "wire/noise": {
    what: "gives up at a line that is no record",
    adapter: readingLines(() => (line, wire, nth) => (isRecord(line) ? passLine(line, wire, nth) : wire.close())),
  },
  "wire/duplicate": {
    what: "ends a turn at each record that says so",
    ...overhearing("done", (turnId, seen) =>
      seen === 1 ? null : { type: "turn-complete", turnId, outcome: "completed", answered: [] },
    ),
  },
  "wire/late": {
    what: "begins a turn of its own at a word that comes late",
    ...overhearing("text", (turnId, _, isOver) =>
      isOver ? { type: "autonomous-turn-state", turnId: `${turnId}-late`, state: "started", origin: "late" } : null,
    ),
  },
  "wire/flood": {
    what: "drops what is more than it can hold",
    adapter: readingLines(() => {
      let texts = 0;
      return (line, wire, nth) => {
        if (!line.includes('"type":"text"') || ++texts < 10_000) passLine(line, wire, nth);
      };
    }),
  },
  "wire/framing": {
    what: "ends lines at every character that ends one somewhere",
    adapter: {
      driver: reading((child) => {
        const split = (bytes: Buffer) => bytes.toString("latin1").replace(/\xe2\x80[\xa8\xa9]/g, "\n");
        const out = new Transform({
          transform: (bytes: Buffer, _, done) => done(null, Buffer.from(split(bytes), "latin1")),
        });
        return withOutput(child, child.stdout.pipe(out));
      }),
    },
  },
  "wire/long-line": {
    what: "drops a line that is too long without a word",
    adapter: {
      wire: { maxLineBytes: shortLimit },
      ...readingLines(() => (line, wire, nth) => {
        if (line.length <= shortLimit) passLine(line, wire, nth);
      }),
    },
  },
  "wire/end-of-input": {
    what: "takes no notice when the agent closes its output",
    hangs: true,
    adapter: {
      driver: reading((child) => {
        const out = new PassThrough();
        child.stdout.pipe(out, { end: false });
        return withOutput(child, out);
      }),
    },
  },
};

export const spoiled = (sabotage: WireSabotage): ContractAdapter =>
  sabotaged({ ...minimalAdapter, ...sabotage.adapter }, { ...sabotage, adapter: {} });
