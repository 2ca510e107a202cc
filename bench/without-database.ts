/**
 * The memory store, except that from `drop` on pieces of text are numbered and published at once and kept nowhere: what
 * a host costs without a database, for as long as its turns only stream. A reader must follow live by then: what is
 * dropped is in no journal.
 */
import type { BenchStore } from "./bench-host.ts";

type Write = Parameters<BenchStore["write"]>[2][number];
type Written = Awaited<ReturnType<BenchStore["write"]>>;

export function withoutDatabase(store: BenchStore): { readonly store: BenchStore; drop(): void } {
  const last = new Map<number, number>();
  let dropping = false;
  const write: BenchStore["write"] = async (session, epoch, writes) => {
    const seq = last.get(session) ?? 0;
    if (!dropping || !writes.every(isText)) {
      const written = await store.write(session, epoch, writes);
      last.set(session, Math.max(written.last, seq));
      return written;
    }
    const events = writes.flatMap((one, n): Written["events"][number][] =>
      one.write === "event" ? [{ seq: seq + 1 + n, at: one.at, event: one.event }] : [],
    );
    last.set(session, seq + events.length);
    return { first: seq + 1, last: seq + events.length, events };
  };
  const dropper = new Proxy(store, {
    get: (target, name) => {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    store: dropper,
    drop: () => {
      dropping = true;
    },
  };
}

const isText = (write: Write): boolean =>
  write.write === "event" && write.event.type === "chunk" && write.event.chunk.type === "text-delta";
