/**
 * Knows when code runs inside a handler that a session waits for, so that what would wait for that session is refused
 * instead of waiting for ever. Invariant: the scope ends when the handler's promise settles, for whatever it left behind
 * too.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { WouldDeadlockError } from "../errors.ts";

type Scope = { readonly event: string; readonly outer: Scope | undefined; active: boolean };
const scopes = new AsyncLocalStorage<Scope>();

/** Runs a handler of `event`. Its result, or what it throws. */
export async function inHandler<T>(event: string, handler: () => T | Promise<T>): Promise<T> {
  const scope: Scope = { event, outer: scopes.getStore(), active: true };
  try {
    return await scopes.run(scope, handler);
  } finally {
    scope.active = false;
  }
}
/** Runs code that a session does not wait for: a command, a hook of the program. */
export const outsideHandlers = <T>(work: () => T): T => scopes.exit(work);
/** The event whose handler is running here; null: none. */
export function handlerHere(): string | null {
  for (let scope = scopes.getStore(); scope; scope = scope.outer) if (scope.active) return scope.event;
  return null;
}
/** Throws `WouldDeadlockError` inside a handler. */
export function refuseInHandler(what: string): void {
  const inside = handlerHere();
  if (inside !== null) throw new WouldDeadlockError(what, inside);
}
