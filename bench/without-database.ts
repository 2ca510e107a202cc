/**
 * A store that keeps the rows of the memory store but throws events away: with `drop` on, a write of nothing but chunks
 * is numbered and published at once. What a host costs without a database, for as long as turns only stream.
 */
import type { BenchStore } from "./bench-host.ts";

type Write = Parameters<BenchStore["write"]>[2][number];
type StoredEvent = Awaited<ReturnType<BenchStore["write"]>>["events"][number];

export function withoutDatabase(store: BenchStore): BenchStore {
  const last = new Map<number, number>();
  const number = (session: number, writes: readonly Write[]) => {
    const first = (last.get(session) ?? 0) + 1;
    const events = writes.flatMap((write, n): StoredEvent[] =>
      write.write === "event" ? [{ seq: first + n, at: write.at, event: write.event }] : [],
    );
    last.set(session, first + events.length - 1);
    return { first, last: first + events.length - 1, events };
  };
  const dropping: BenchStore["write"] = async (session, epoch, writes) => {
    if (writes.length > 0 && writes.every(isChunk)) return number(session, writes);
    const written = await store.write(session, epoch, writes);
    last.set(session, Math.max(written.last, last.get(session) ?? 0));
    return written;
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "write") return dropping;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const isChunk = (write: Write): boolean => write.write === "event" && write.event.type === "chunk";
