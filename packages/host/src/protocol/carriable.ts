/**
 * Values from an agent or a client as every store and every stream can carry them: half a surrogate pair becomes U+FFFD,
 * and what JSON cannot say becomes words. Invariants: a value that has nothing of that is given back itself, not copied;
 * no value makes this throw or run for ever.
 */

/** Objects and lists inside each other. What is deeper is not carried: who writes JSON would exhaust the stack. */
const deepest = 200;
const tooDeep = `[nested deeper than ${deepest} levels]`;

export const carriable = <T>(value: T): T => carried(value, 0) as T;

function carried(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return tooDeep;
  return Array.isArray(value) ? carriedList(value, depth) : carriedRecord(value, depth);
}
function carriedList(list: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let at = 0; at < list.length; at++) {
    const value = carried(list[at], depth + 1);
    if (value === list[at]) continue;
    copy ??= [...list];
    copy[at] = value;
  }
  return copy ?? list;
}
function carriedRecord(record: object, depth: number): object {
  const fields = record as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  let copy: [string, unknown][] | null = null;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? "";
    const value = carried(fields[name], depth + 1);
    if (copy === null && Object.is(value, fields[name]) && name.isWellFormed()) continue;
    copy ??= names.slice(0, at).map((before) => [before, fields[before]]);
    copy.push([name.toWellFormed(), value]);
  }
  return copy === null ? record : Object.fromEntries(copy);
}
