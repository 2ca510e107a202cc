/** Random writes of several owners at once, against a model that knows only what the port promises. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Write, Written } from "../../ports/store.ts";
import type { StoredEvent } from "../../protocol/events.ts";
import { message, messageRow, newOwner, type OpenStore, type Owner } from "./fixtures.ts";

/** One write: to which session, its events, whether it breaks a rule, and whether the writer waits after it. */
type Step = {
  readonly session: number;
  readonly events: readonly Piece[];
  readonly broken: boolean;
  readonly wait: boolean;
};
type Piece = { readonly kind: "a" | "b" | "notice"; readonly text: string };

const piece: fc.Arbitrary<Piece> = fc.record({
  kind: fc.constantFrom("a", "a", "b", "notice"),
  // Halves of a pair too: a model's deltas are cut anywhere.
  text: fc.oneof(
    fc.string({ minLength: 1, maxLength: 3, unit: "grapheme" }),
    fc.constantFrom("\ud83d", "\ude00", "\u0000"),
  ),
});
const step: fc.Arbitrary<Step> = fc.record({
  session: fc.nat(2),
  events: fc.array(piece, { maxLength: 4 }),
  broken: fc.nat(9).map((n) => n === 0),
  wait: fc.nat(3).map((n) => n === 0),
});

export function modelRules(open: OpenStore): void {
  test("what was acknowledged is what is stored, numbered without a gap, and reads the same from every place", async () => {
    const store = await open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
        run += 1;
        const owners = await Promise.all([0, 1, 2].map((n) => newOwner(store, `ses_${run}_${n}`)));
        await Promise.all(owners.map((owner) => owner.write(message(messageRow("msg_a")))));
        const outcomes = await play(owners, steps);
        for (const [n, owner] of owners.entries())
          await check(
            owner,
            outcomes.filter(({ session }) => session === n),
          );
      }),
      { numRuns: 40 },
    );
  });
}

type Outcome = { readonly session: number; readonly events: readonly Piece[]; readonly written: Written | null };

async function play(owners: readonly Owner[], steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = [];
  for (const { session, events, broken, wait } of steps) {
    const owner = owners[session];
    if (!owner) continue;
    const writes = [...events.map((one) => writeOf(owner, one)), ...(broken ? [breaking] : [])];
    const outcome = owner.write(...writes).then(
      (written) => ({ session, events, written }),
      () => ({ session, events, written: null }),
    );
    outcomes.push(outcome);
    if (wait) await outcome;
  }
  return Promise.all(outcomes);
}
const breaking: Write = { write: "message-drop", id: "msg_none" };
const writeOf = (owner: Owner, { kind, text }: Piece): Write =>
  kind === "notice" ? owner.notice(text) : owner.delta("msg_a", text, kind);

async function check(owner: Owner, outcomes: readonly Outcome[]): Promise<void> {
  const accepted = outcomes.flatMap(({ events, written }) => (written ? [{ events, written }] : []));
  const published = accepted.flatMap(({ written }) => written.events);
  expect(published.map(({ seq }) => seq)).toEqual(published.map((_, n) => n + 1));
  expect(squeezed(published.map(pieceOf))).toEqual(squeezed(accepted.flatMap(({ events }) => events)));
  for (let after = 0; after <= published.length; after += 1)
    expect(await owner.store.events(owner.no, after, 1_000)).toEqual(published.slice(after));
  let newest = 0;
  for (const { written } of accepted) {
    expect(written.first).toBeLessThanOrEqual(written.last);
    expect(written.last).toBe(written.events.at(-1)?.seq ?? newest);
    newest = written.last;
  }
}

function pieceOf({ event }: StoredEvent): Piece {
  if (event.type === "notice") return { kind: "notice", text: event.text };
  if (event.type === "chunk" && event.chunk.type === "text-delta")
    return { kind: event.chunk.id === "a" ? "a" : "b", text: event.chunk.delta };
  throw new TypeError(`not written: ${event.type}`);
}

/** However a text was cut into deltas: one piece per stretch of one part. */
function squeezed(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const one of pieces) {
    const last = out.at(-1);
    if (last && last.kind === one.kind && one.kind !== "notice")
      out[out.length - 1] = { ...one, text: last.text + one.text };
    else out.push(one);
  }
  return out;
}
