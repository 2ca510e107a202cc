/**
 * A place in one session's journal as clients carry it: `<store>.<session>.<seq>`. Opaque to them; the store id tells a
 * place in this database from one in a copy of it. Invariant: `parseCursor(formatCursor(c))` equals `c`.
 */
import { MooringError } from "./errors.ts";
import type { Seq, SessionNo } from "./ids.ts";

export type Cursor = {
  /** The store's id: lower-case letters and digits, at least eight. */
  readonly store: string;
  readonly session: SessionNo;
  /** The last event seen; 0: none. */
  readonly seq: Seq;
};

const form = /^([a-z0-9]{8,64})\.([1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,15})$/;

export const formatCursor = (cursor: Cursor): string => `${cursor.store}.${cursor.session}.${cursor.seq}`;

/** Throws `bad-cursor` for text that no store can have made. Whether store, session and seq fit is the reader's to say. */
export function parseCursor(text: string): Cursor {
  const [, store, session, seq] = form.exec(text) ?? [];
  const cursor = { store: store ?? "", session: Number(session), seq: Number(seq) };
  if (store !== undefined && Number.isSafeInteger(cursor.session) && Number.isSafeInteger(cursor.seq)) return cursor;
  throw new MooringError(
    "bad-cursor",
    "Not a cursor of this session. Begin with a snapshot: `after=snapshot` over HTTP, `after: null` in a program.",
  );
}
