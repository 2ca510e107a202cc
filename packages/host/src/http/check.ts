/** Values from outside against the schemas of their route. What is wrong is named by its JSON pointer. */
import type { z } from "zod";
import { type FieldProblem, httpError } from "./problem.ts";

/** Throws `bad-request`; at most `most` fields are named. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, where: FieldProblem["in"], most: number): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => problemsOf(issue, where)).slice(0, most);
  const [first] = errors;
  const place = first === undefined || first.pointer === "" ? `The ${where}` : `${first.pointer} in the ${where}`;
  throw httpError("bad-request", `${place} is not right: ${first?.detail ?? "it does not fit"}.`, { errors });
}
/** What is not known is named itself, not by what it is in. */
function problemsOf(issue: z.core.$ZodIssue, where: FieldProblem["in"]): readonly FieldProblem[] {
  const names = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  const detail = issue.code === "unrecognized_keys" ? "there is no such field" : issue.message.slice(0, 300);
  return names.map((path) => ({ in: where, pointer: pointerOf(path), detail }));
}
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
