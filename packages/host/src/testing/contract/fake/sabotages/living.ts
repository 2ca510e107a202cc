/** A driver that breaks each rule about compaction, its own work, copies and closing, once. */
import type { AgentRuntimeEvent, HistoryEntry } from "../../../../ports/driver.ts";
import { MooringError } from "../../../../protocol/errors.ts";
import type { TurnId } from "../../../../protocol/ids.ts";
import type { livingRequirements } from "../../requirements/living.ts";
import type { Sabotage } from "../sabotage.ts";
import { calling, instead, telling, without } from "./ways.ts";

const refusal = new MooringError("out-of-order", "The driver is out of order on purpose.");

export const livingSabotages: Readonly<Record<keyof typeof livingRequirements, Sabotage>> = {
  "context/usage": {
    kind: "fake-native",
    what: "tells more used than there is",
    link: calling(() => ({ getContextUsage: async () => ({ used: 1_000, window: 100 }) })),
  },
  "compaction/asked": { what: "compacts without telling", hangs: true, link: without("compaction-start") },
  "compaction/paired": {
    what: "tells every start twice",
    link: telling(instead("compaction-start", (event) => [event, event])),
  },
  "compaction/nothing": {
    what: "tells a compaction of nothing",
    link: calling(({ inner, emit }) => ({
      compact: async () => {
        emit({ type: "compaction-start", trigger: "manual" });
        const done = { trigger: "manual", summary: "nothing", covers: null, data: null };
        emit({ type: "compaction-complete", done });
        await inner.compact?.().catch(() => undefined);
      },
    })),
  },
  "compaction/hook": {
    what: "compacts without asking the hook",
    input: () => (input) => ({ ...input, hooks: { beforeCompaction: async () => "go" } }),
  },
  "autonomous/announced": {
    what: "announces its own turn after its first words",
    link: () => {
      let held: AgentRuntimeEvent[] = [];
      return {
        tell: (event) => {
          if (event.type === "autonomous-turn-state") {
            held = [event];
            return [];
          }
          const late = held;
          held = [];
          return [event, ...late];
        },
      };
    },
  },
  "autonomous/ends": {
    what: "never ends its own turn",
    hangs: true,
    link: () => {
      let own: TurnId | null = null;
      return {
        tell: (event) => {
          if (event.type === "autonomous-turn-state") own = event.turnId;
          return event.type === "turn-complete" && event.turnId === own ? [] : [event];
        },
      };
    },
  },
  "background/told": {
    what: "leaves work behind without telling",
    link: telling((event) => (event.type === "background-work-state" && event.active ? [] : [event])),
  },
  "background/drained": {
    what: "goes on telling of work that is over",
    link: telling(
      instead("background-work-state", (event) =>
        event.active ? [event] : [event, { type: "background-task-event", taskId: "task", data: null }],
      ),
    ),
  },
  "flow/rooted": {
    what: "tells a sub-agent's words under no call",
    link: telling(instead("background-flow-chunk", (event) => [{ ...event, rootToolCallId: "call_nobody" }])),
  },
  "flow/ended": {
    what: "never ends a sub-agent's message",
    link: telling(instead("background-flow-chunk", (event) => (event.chunk.type === "finish" ? [] : [event]))),
  },
  "fork/branches": {
    kind: "fake-native",
    what: "gives a fork the token of its origin",
    driver: () => ({ fork: async ({ token }) => ({ token }) }),
  },
  "rewind/earlier": {
    what: "remembers the longest history it ever had",
    driver: (driver) => {
      let longest: readonly HistoryEntry[] = [];
      const longer = (now: readonly HistoryEntry[]) => (now.length > longest.length ? now : longest);
      return {
        connect: async (input) => {
          const connection = await driver.connect({ ...input, history: async () => longer(await input.history()) });
          return {
            ...connection,
            close: async (reason) => {
              longest = longer(await input.history());
              return connection.close(reason);
            },
          };
        },
      };
    },
  },
  "close/ends-events": { what: "tells no end", hangs: true, link: () => ({ endless: true }) },
  "close/idempotent": {
    what: "cannot be closed twice",
    link: calling(({ inner }) => {
      let closes = 0;
      return { close: (reason) => (++closes > 1 ? Promise.reject(refusal) : inner.close(reason)) };
    }),
  },
  "close/during-turn": {
    what: "tells the turn it is closed in as completed",
    link: ({ inner, emit }) => {
      let turn: TurnId = "";
      return {
        calls: {
          send: (sent) => {
            turn = sent.turnId;
            return inner.send(sent);
          },
          close: (reason) => {
            emit({ type: "turn-complete", turnId: turn, outcome: "completed", answered: [] });
            return inner.close(reason);
          },
        },
      };
    },
  },
  "close/leaves-nothing": {
    what: "leaves a child behind",
    driver: (driver, { processes }) => ({
      connect: async (input) => {
        const { env, workspace } = input;
        const session = input.session.sessionId;
        await processes.spawn({ command: "sleep", args: ["60"], cwd: workspace, env, session, purpose: "stray" });
        return driver.connect(input);
      },
    }),
  },
  "close/refuses": {
    what: "takes prompts after it is closed",
    link: calling(({ inner }) => ({ send: (turn) => inner.send(turn).catch(() => undefined) })),
  },
};
