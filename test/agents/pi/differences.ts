/** Where two values differ, by path: what has no meaning in JSON is no difference. */
export type Difference = { readonly at: string; readonly was: unknown; readonly is: unknown };

export function differences(was: unknown, is: unknown, at = ""): readonly Difference[] {
  if (Object.is(was, is)) return [];
  if (!isObject(was) || !isObject(is) || Array.isArray(was) !== Array.isArray(is)) return [{ at, was, is }];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(was[key], is[key], `${at}/${key}`));
}
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
