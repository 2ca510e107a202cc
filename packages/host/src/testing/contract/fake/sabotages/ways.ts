/** Ways of breaking a rule that several sabotages share. */
import type { AgentRuntimeEvent } from "../../../../ports/driver.ts";
import type { UIMessageChunk } from "../../../../protocol/chunks.ts";
import type { BrokenLink, LinkTools } from "../sabotage.ts";

type Type = AgentRuntimeEvent["type"];
type Of<T extends Type> = Extract<AgentRuntimeEvent, { type: T }>;
type Chunk<T extends UIMessageChunk["type"]> = Extract<UIMessageChunk, { type: T }>;
type Tell = NonNullable<BrokenLink["tell"]>;

/** Events of one type become these. */
export const instead =
  <T extends Type>(type: T, make: (event: Of<T>) => readonly AgentRuntimeEvent[]): Tell =>
  (event) =>
    event.type === type ? make(event as Of<T>) : [event];

/** Chunks of one type become these. */
export const insteadOfChunk =
  <T extends UIMessageChunk["type"]>(type: T, make: (chunk: Chunk<T>) => readonly UIMessageChunk[]): Tell =>
  (event) =>
    event.type === "chunk" && event.chunk.type === type
      ? make(event.chunk as Chunk<T>).map((chunk) => ({ ...event, chunk }))
      : [event];

/** A sabotage of what is told, the same for every connection. */
export const telling = (tell: Tell) => (): BrokenLink => ({ tell });
export const without = (...types: readonly Type[]) => telling((event) => (types.includes(event.type) ? [] : [event]));
export const withoutChunk = (...types: readonly UIMessageChunk["type"][]) =>
  telling((event) => (event.type === "chunk" && types.includes(event.chunk.type) ? [] : [event]));

/** A sabotage that replaces calls. */
export const calling =
  (calls: (tools: LinkTools) => NonNullable<BrokenLink["calls"]>) =>
  (tools: LinkTools): BrokenLink => ({ calls: calls(tools) });

/** Says that it stops, and does not, while the newest event is such. */
export const deafTo =
  (isPhase: (newest: AgentRuntimeEvent | null) => boolean) =>
  ({ inner }: LinkTools): BrokenLink => {
    let newest: AgentRuntimeEvent | null = null;
    return {
      tell: (event) => {
        if (event.type !== "usage") newest = event;
        return [event];
      },
      calls: { abortTurn: async (id) => (isPhase(newest) ? "aborted" : inner.abortTurn(id)) },
    };
  };
export const isChunk = (event: AgentRuntimeEvent | null, type: UIMessageChunk["type"]): boolean =>
  event?.type === "chunk" && event.chunk.type === type;

export const never = <T>(): Promise<T> => new Promise<T>(() => {});
