/** A driver that breaks each rule about steers and stops, once. */
import type { AgentRuntimeEvent } from "../../../../ports/driver.ts";
import type { InputId, TurnId } from "../../../../protocol/ids.ts";
import type { steeringRequirements } from "../../requirements/steering.ts";
import type { BrokenLink, LinkTools, Sabotage } from "../sabotage.ts";
import { calling, deafTo, instead, insteadOfChunk, isChunk, telling, without } from "./ways.ts";

const stopped = (turnId: TurnId): AgentRuntimeEvent => ({
  type: "turn-complete",
  turnId,
  outcome: "stopped",
  answered: [],
});

/** Tells a stopped turn, while the agent goes on unheard. */
function pretendToStop({ emit }: LinkTools): BrokenLink {
  let open: string | null = null;
  let silenced: TurnId | null = null;
  return {
    tell: (event) => {
      if (event.type === "chunk" && event.chunk.type === "tool-input-available") open = event.chunk.toolCallId;
      return "turnId" in event && event.turnId === silenced ? [] : [event];
    },
    calls: {
      abortTurn: async (turnId) => {
        const chunk = { type: "tool-output-error", toolCallId: open ?? "", errorText: "stopped" } as const;
        emit({ type: "chunk", turnId, chunk });
        emit(stopped(turnId));
        silenced = turnId;
        return "aborted";
      },
    },
  };
}

export const steeringSabotages: Readonly<Record<keyof typeof steeringRequirements, Sabotage>> = {
  "steer/none": {
    kind: "fake-plain",
    what: "says it cannot steer, and takes steers",
    link: calling(() => ({ redirect: async () => "offered" })),
  },
  "steer/taken": { what: "tells no boundary", link: without("steer-boundary") },
  "steer/order": {
    what: "names steers in reverse",
    link: telling(instead("steer-boundary", (event) => [{ ...event, taken: event.taken.toReversed() }])),
  },
  "steer/one-at-a-time": {
    what: "takes all steers together, however it is asked to",
    input: () => (input) => ({ ...input, steeringMode: () => "all" }),
  },
  "steer/together": {
    what: "takes steers one by one, however it is asked to",
    input: () => (input) => ({ ...input, steeringMode: () => "one-at-a-time" }),
  },
  "steer/clean-boundary": {
    what: "tells the boundary before the output of the tool",
    link: () => {
      let held: AgentRuntimeEvent[] = [];
      return {
        tell: (event) => {
          if (isChunk(event, "tool-output-available")) {
            held = [event];
            return [];
          }
          const late = held;
          held = [];
          return event.type === "steer-boundary" ? [event, ...late] : [...late, event];
        },
      };
    },
  },
  "steer/one-end": {
    what: "tells a taken steer as undelivered too",
    link: () => {
      const taken: InputId[] = [];
      return {
        tell: (event) => {
          if (event.type === "steer-boundary") taken.push(...event.taken);
          if (event.type !== "turn-complete") return [event];
          return [{ type: "steer-undelivered", turnId: event.turnId, inputs: taken }, event];
        },
      };
    },
  },
  "steer/late": {
    what: "takes every steer and forgets it",
    link: calling(() => ({ redirect: async () => "offered" })),
  },
  "steer/adopted": {
    kind: "fake-native",
    what: "does not name the input that became a turn",
    hangs: true,
    link: telling(
      instead("autonomous-turn-state", ({ type, turnId, state, origin }) => [{ type, turnId, state, origin }]),
    ),
  },
  "steer/undelivered": {
    what: "tells nothing of a steer the turn ended without",
    link: without("steer-undelivered"),
  },
  "steer/returned": {
    what: "returns nothing when it closes",
    link: calling(({ inner }) => ({
      close: async (reason) => {
        await inner.close(reason);
        return { returned: [] };
      },
    })),
  },
  "steer/withdrawn": {
    what: "says it took a steer back, and delivers it",
    link: calling(() => ({ withdraw: async () => true })),
  },
  "steer/withdraw-too-late": {
    what: "says it took back what the agent has",
    link: calling(({ inner }) => ({
      withdraw: async (id) => {
        await inner.withdraw?.(id);
        return true;
      },
    })),
  },
  "steer/refused": {
    what: "takes steers for turns that are over",
    link: calling(() => ({ redirect: async () => "offered" })),
  },
  "stop/text": { what: "is deaf while it talks", link: deafTo((event) => isChunk(event, "text-delta")) },
  "stop/silence": {
    what: "is deaf while it says nothing",
    hangs: true,
    link: deafTo((event) => event === null),
  },
  "stop/tool": {
    what: "tells the output of a tool that was cut",
    link: telling(
      insteadOfChunk("tool-output-error", ({ toolCallId }) => [
        { type: "tool-output-available", toolCallId, output: "half of it" },
      ]),
    ),
  },
  "stop/tool-ended": { what: "lets the tool go on unheard", link: pretendToStop },
  "stop/approval": {
    what: "is deaf while a person is asked",
    hangs: true,
    link: deafTo((event) => event?.type === "tool-approval-request"),
  },
  "stop/policy": {
    what: "is deaf while the host is asked",
    hangs: true,
    link: deafTo((event) => isChunk(event, "tool-input-available")),
  },
  "stop/retry": {
    what: "is deaf while it waits for another try",
    hangs: true,
    link: deafTo((event) => event?.type === "api-retry"),
  },
  "stop/ends-nothing": {
    what: "tells a stopped turn as completed",
    link: telling(instead("turn-complete", (event) => [{ ...event, outcome: "completed" }])),
  },
  "stop/settled": {
    what: "says that it stops what is over",
    link: calling(() => ({ abortTurn: async () => "aborted" })),
  },
  "stop/other-turn": {
    what: "stops whatever runs",
    link: ({ inner }) => {
      let running: TurnId | null = null;
      return {
        tell: (event) => {
          if (event.type === "chunk") running = event.turnId;
          return [event];
        },
        calls: { abortTurn: (id) => inner.abortTurn(running ?? id) },
      };
    },
  },
  "stop/twice": {
    what: "ends a turn once for each stop",
    link: calling(({ emit }) => ({
      abortTurn: async (id) => {
        emit(stopped(id));
        return "aborted";
      },
    })),
  },
  "stop/next": {
    what: "goes on in the next turn with what was stopped",
    link: ({ inner }) => {
      let rest = "";
      return {
        tell: (event) => {
          if (event.type !== "chunk" || event.chunk.type !== "text-delta" || rest === "") return [event];
          const chunk = { ...event.chunk, delta: rest + event.chunk.delta };
          rest = "";
          return [{ ...event, chunk }];
        },
        calls: {
          abortTurn: (id) => {
            rest = "where was I? ";
            return inner.abortTurn(id);
          },
        },
      };
    },
  },
};
