/** API keys the host knows, taken out of what leaves it: a tool may have come upon one and said it. */

import { credentialsOf } from "../connections/session-config.ts";
import type { HostContext } from "../host-context.ts";

/** Characters: a shorter one would blank ordinary words. */
const shortestKey = 6;

/** Every agent's, since one may have come upon another's. */
export const knownKeys = (context: HostContext): readonly string[] =>
  context.agents.list().flatMap((agent) => {
    const { apiKey } = credentialsOf(context, agent);
    return apiKey === null || apiKey.length < shortestKey ? [] : [apiKey];
  });

/** JSON of a value without the keys in its strings. */
export function jsonWithout(keys: readonly string[]): (value: unknown) => string {
  if (keys.length === 0) return (value) => JSON.stringify(value);
  const clean = (_: string, value: unknown): unknown =>
    typeof value === "string" ? keys.reduce((text, key) => text.replaceAll(key, "[redacted]"), value) : value;
  return (value) => JSON.stringify(value, clean);
}
/** A row as it is, without the keys in its strings. */
export function rowWithout(keys: readonly string[]): <Row extends object>(row: Row) => Row {
  if (keys.length === 0) return (row) => row;
  const json = jsonWithout(keys);
  return <Row extends object>(row: Row) => JSON.parse(json(row)) as Row;
}
