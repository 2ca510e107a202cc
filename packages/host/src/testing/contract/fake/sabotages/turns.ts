/** A driver that breaks each rule about turns and their parts, once. */
import type { AgentRuntimeEvent } from "../../../../ports/driver.ts";
import { MooringError } from "../../../../protocol/errors.ts";
import { PushStream } from "../../../push-stream.ts";
import type { turnRequirements } from "../../requirements/turns.ts";
import type { Sabotage } from "../sabotage.ts";
import { calling, instead, insteadOfChunk, never, telling, without, withoutChunk } from "./ways.ts";

const refusal = new MooringError("out-of-order", "The driver is out of order on purpose.");
const unknownEvent = { type: "mystery" } as unknown as AgentRuntimeEvent;
const withoutFiles = calling(({ inner }) => ({
  send: (turn) => inner.send({ ...turn, parts: turn.parts.filter(({ type }) => type !== "file") }),
}));

export const turnSabotages: Readonly<Record<keyof typeof turnRequirements, Sabotage>> = {
  "turn/accepted": {
    what: "answers send when the turn is over",
    hangs: true,
    link: calling(({ inner }) => ({
      send: async (turn) => {
        await inner.send(turn);
        await never();
      },
    })),
  },
  "turn/one-terminal": {
    what: "ends every turn twice",
    link: telling(instead("turn-complete", (event) => [event, event])),
  },
  "turn/silent-after-end": {
    what: "goes on talking after the end",
    link: telling(
      instead("turn-complete", (event) => [
        event,
        { type: "chunk", turnId: event.turnId, chunk: { type: "text-start", id: "ps" } },
      ]),
    ),
  },
  "turn/ids": {
    what: "tells chunks of a turn nobody sent",
    link: telling(instead("chunk", (event) => [{ ...event, turnId: `${event.turnId}x` }])),
  },
  "turn/answered": {
    what: "names no input it answered",
    link: telling(instead("turn-complete", (event) => [{ ...event, answered: [] }])),
  },
  "turn/input-once": {
    what: "gives the agent each prompt twice",
    link: calling(({ inner }) => ({ send: (turn) => inner.send({ ...turn, parts: [...turn.parts, ...turn.parts] }) })),
  },
  "turn/next": {
    what: "takes one prompt per connection",
    link: calling(({ inner }) => {
      let sent = 0;
      return { send: (turn) => (++sent > 1 ? Promise.reject(refusal) : inner.send(turn)) };
    }),
  },
  "turn/failure": {
    what: "tells a failed turn as completed",
    link: telling(
      instead("error", ({ turnId }) => [{ type: "turn-complete", turnId, outcome: "completed", answered: [] }]),
    ),
  },
  "turn/after-failure": {
    what: "takes nothing more after a failure, and does not say so",
    hangs: true,
    link: ({ inner }) => {
      let isBroken = false;
      return {
        tell: (event) => {
          isBroken ||= event.type === "error";
          return [event];
        },
        calls: { send: (turn) => (isBroken ? never() : inner.send(turn)) },
      };
    },
  },
  "turn/retry-told": { what: "tries again without a word", link: without("api-retry") },
  "turn/second-prompt": {
    what: "loses a second prompt",
    hangs: true,
    link: ({ inner }) => {
      let isRunning = false;
      return {
        tell: (event) => {
          if (event.type === "turn-complete") isRunning = false;
          return [event];
        },
        calls: {
          send: async (turn) => {
            if (isRunning) return;
            isRunning = true;
            await inner.send(turn);
          },
        },
      };
    },
  },
  "turn/idempotent": {
    kind: "fake-native",
    what: "makes a new key for every send",
    link: calling(({ inner, ports }) => ({ send: (turn) => inner.send({ ...turn, agentKey: ports.ids.uuid() }) })),
  },
  "events/vocabulary": {
    what: "tells an event nobody knows",
    link: telling(instead("turn-complete", (event) => [unknownEvent, event])),
  },
  "events/not-lost": {
    what: "drops what is told while nobody reads",
    hangs: true,
    link: calling(({ inner }) => ({ events: heardFromNowOn(inner.events) })),
  },
  "parts/text": {
    what: "loses the first character of every piece of text",
    link: telling(insteadOfChunk("text-delta", (chunk) => [{ ...chunk, delta: chunk.delta.slice(1) }])),
  },
  "parts/streamed": {
    what: "tells a text when it is whole",
    link: () => {
      let text = "";
      return {
        tell: (event) => {
          if (event.type !== "chunk") return [event];
          const { chunk } = event;
          if (chunk.type === "text-delta") {
            text += chunk.delta;
            return [];
          }
          if (chunk.type !== "text-end") return [event];
          const whole = { type: "text-delta", id: chunk.id, delta: text } as const;
          text = "";
          return [{ ...event, chunk: whole }, event];
        },
      };
    },
  },
  "parts/one-text": {
    what: "begins a new part for every piece of a text",
    link: () => {
      let pieces = 0;
      return {
        tell: insteadOfChunk("text-delta", ({ delta }) => {
          const id = `piece${++pieces}`;
          return [
            { type: "text-start", id },
            { type: "text-delta", id, delta },
            { type: "text-end", id },
          ];
        }),
      };
    },
  },
  "parts/reasoning": {
    what: "keeps its reasoning to itself",
    link: withoutChunk("reasoning-start", "reasoning-delta", "reasoning-end"),
  },
  "parts/tool": {
    what: "tells every output twice",
    link: telling(insteadOfChunk("tool-output-available", (chunk) => [chunk, chunk])),
  },
  "parts/two-tools": {
    what: "gives all calls one id",
    link: telling((event) => {
      if (event.type !== "chunk" || !("toolCallId" in event.chunk)) return [event];
      return [{ ...event, chunk: { ...event.chunk, toolCallId: "call" } }];
    }),
  },
  "parts/tool-failure": {
    what: "tells a failure as an output",
    link: telling(
      insteadOfChunk("tool-output-error", ({ toolCallId, errorText }) => [
        { type: "tool-output-available", toolCallId, output: errorText },
      ]),
    ),
  },
  "parts/well-formed": {
    what: "continues a text it has not begun",
    link: telling(insteadOfChunk("text-delta", (chunk) => [{ ...chunk, id: "other" }])),
  },
  "parts/closed": { what: "tells no output of its tools", link: withoutChunk("tool-output-available") },
  "parts/frame": {
    what: "tells the start of a message before its text",
    link: telling(insteadOfChunk("text-start", (chunk) => [{ type: "start" }, chunk])),
  },
  "input/image": { what: "drops images", link: withoutFiles },
  "input/file-bytes": { kind: "fake-native", what: "drops files", link: withoutFiles },
  "input/file-path": {
    kind: "fake-native",
    what: "does not read the file it is told of",
    link: calling(({ inner }) => ({
      send: (turn) => {
        const parts = turn.parts.map((part) => (part.type === "text" ? { ...part, text: "look" } : part));
        return inner.send({ ...turn, parts });
      },
    })),
  },
  "usage/figures": {
    what: "counts every token twice",
    link: telling(
      instead("usage", (event) => {
        const tokens = { ...event.usage.tokens, output: event.usage.tokens.output * 2 };
        return [{ ...event, usage: { ...event.usage, tokens } }];
      }),
    ),
  },
  "usage/own": {
    what: "reports totals of the session",
    link: () => {
      let [input, output] = [0, 0];
      return {
        tell: instead("usage", (event) => {
          input += event.usage.tokens.input;
          output += event.usage.tokens.output;
          return [{ ...event, usage: { ...event.usage, tokens: { ...event.usage.tokens, input, output } } }];
        }),
      };
    },
  },
  "usage/named": {
    what: "gives all reports one id",
    link: telling(instead("usage", (event) => [{ ...event, usage: { ...event.usage, requestId: "fake:1" } }])),
  },
};

/** What comes before anyone iterates is gone. */
function heardFromNowOn(events: AsyncIterable<AgentRuntimeEvent>): AsyncIterable<AgentRuntimeEvent> {
  const heard = new PushStream<AgentRuntimeEvent>();
  let isRead = false;
  const pump = async (): Promise<void> => {
    for await (const event of events) if (isRead) heard.push(event);
    heard.end();
  };
  void pump(); // the fake's events never throw
  return {
    [Symbol.asyncIterator]: () => {
      isRead = true;
      return heard[Symbol.asyncIterator]();
    },
  };
}
