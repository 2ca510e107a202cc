/**
 * Bodies as values. Invariants: what is not JSON, or nests too deep, is refused; every text in what is given on is
 * well-formed, so that any store and any stream can carry it.
 */
import type { HttpLimits } from "./limits.ts";
import { httpError } from "./problem.ts";

type Limits = Pick<HttpLimits, "jsonDepth" | "jsonValues">;

/** The whole body; its size is the size gate's matter. Rejects with `body-incomplete`. */
export async function bytesOf(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch {
    throw httpError("body-incomplete", "The body ended before all of it was here.");
  }
}
/** An empty body is an empty object. Rejects with `bad-json`. */
export async function jsonOf(request: Request, limits: Limits): Promise<unknown> {
  const text = new TextDecoder().decode(await bytesOf(request));
  if (text.trim() === "") return {};
  return wellFormed(parsed(text), limits);
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : "it cannot be read";
    throw httpError("bad-json", `The body is not JSON: ${why.slice(0, 200)}`);
  }
}

type Container = { [key: string]: unknown };
/**
 * The same value; in it, half a surrogate pair becomes U+FFFD. One level after the other, so that no nesting exhausts
 * the stack.
 */
export function wellFormed(root: unknown, { jsonDepth, jsonValues }: Limits): unknown {
  const whole: Container = { root };
  let level: Container[] = [whole];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > jsonDepth) throw httpError("bad-json", `The body nests deeper than ${jsonDepth} levels.`);
    const next: Container[] = [];
    for (const container of level) values += repair(container, next);
    if (values > jsonValues) throw httpError("bad-json", `The body has more than ${jsonValues} values.`);
    level = next;
  }
  return whole["root"];
}
/** Returns how many values it has; those with values of their own go to `inner`. */
function repair(container: Container, inner: Container[]): number {
  const keys = Object.keys(container);
  for (const key of keys) {
    const value = container[key];
    if (typeof value === "string") {
      if (!value.isWellFormed()) container[key] = value.toWellFormed();
    } else if (typeof value === "object" && value !== null) inner.push(value as Container);
    if (!key.isWellFormed()) throw httpError("bad-json", "A name in the body is not well-formed text.");
  }
  return keys.length;
}
