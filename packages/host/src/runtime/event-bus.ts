/**
 * Channels by which extensions of one program talk to each other; nothing of a session passes here. Invariants: a handler
 * that throws or rejects is reported and keeps no other from being called; `emit` returns at once and never throws; no
 * channel name is special.
 */
import { messageOf } from "../index.ts";

export interface EventBus {
  /** Calls the handlers the channel has now, in the order they came. Never throws. */
  emit(channel: string, data: unknown): void;
  /** Returns the function that takes the handler away; calling it twice is once. */
  on(channel: string, handler: EventBusHandler): () => void;
}
export type EventBusHandler = (data: unknown) => void | Promise<void>;
export interface EventBusController extends EventBus {
  /** Takes every handler away. */
  clear(): void;
}
export type EventBusOptions = {
  /** Hears of handlers that failed. Absent: a process warning. */
  readonly onError?: (channel: string, error: unknown) => void;
};
type Entry = { readonly handler: EventBusHandler };

export function createEventBus({ onError = warn }: EventBusOptions = {}): EventBusController {
  const channels = new Map<string, Set<Entry>>();
  const call = async (_channel: string, { handler }: Entry, data: unknown): Promise<void> => handler(data);
  return {
    emit(channel, data) {
      for (const entry of [...(channels.get(channel) ?? [])])
        call(channel, entry, data).catch((error: unknown) => onError(channel, error));
    },
    on(channel, handler) {
      const entry = { handler }; // the same handler may be there twice
      const entries = channels.get(channel) ?? new Set<Entry>();
      channels.set(channel, entries.add(entry));
      return () => {
        entries.delete(entry);
        if (entries.size === 0 && channels.get(channel) === entries) channels.delete(channel);
      };
    },
    clear: () => channels.clear(),
  };
}
const warn = (channel: string, error: unknown): void =>
  process.emitWarning(`A handler of the event bus channel "${channel}" failed: ${messageOf(error)}`);

/** A face of a bus for one owner: what it subscribed is gone when it is released. */
export function ownedBus(bus: EventBus): EventBus & { release(): void } {
  const offs = new Set<() => void>();
  return {
    emit: (channel, data) => bus.emit(channel, data),
    on(channel, handler) {
      const off = bus.on(channel, handler);
      offs.add(off);
      return () => {
        offs.delete(off);
        off();
      };
    },
    release() {
      for (const off of offs) off();
      offs.clear();
    },
  };
}
