/** Values from outside against the schemas of their route. What is wrong is named by its JSON pointer. */
import { z } from "zod";
import { type FieldProblem, httpError } from "./problem.ts";

/** Throws `bad-request`; at most `most` fields are named. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, where: FieldProblem["in"], most: number): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => problemsOf(issue, where, schema)).slice(0, most);
  const [first] = errors;
  const place = first === undefined || first.pointer === "" ? `The ${where}` : `${first.pointer} in the ${where}`;
  throw httpError("bad-request", `${place} is not right: ${first?.detail ?? "it does not fit"}.`, { errors });
}
/** What is not known is named itself, not by what it is in; of several forms, the one that was meant. */
function problemsOf(issue: z.core.$ZodIssue, where: FieldProblem["in"], schema: z.ZodType): readonly FieldProblem[] {
  const { path } = issue;
  const named = (detail: string) => (at: readonly PropertyKey[]) => ({ in: where, pointer: pointerOf(at), detail });
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => [...path, key]).map(named(`there is no such field${knownFields(schema, path)}`));
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return [path].map(named(`it is missing (${issue.expected})`));
  if (issue.code !== "invalid_union") return [path].map(named(issue.message.slice(0, 300)));
  const meant = formMeant(issue.errors);
  if (meant === undefined)
    return [isTyped(issue.errors) ? [...path, "type"] : path].map(named("it has none of the known forms"));
  return meant.flatMap((inner) => problemsOf({ ...inner, path: [...path, ...inner.path] }, where, schema));
}
/** Of the object itself; what lies deeper is in the description of the API. */
const knownFields = (schema: z.ZodType, path: readonly PropertyKey[]): string =>
  path.length === 0 && schema instanceof z.ZodObject ? ` (there are ${Object.keys(schema.shape).join(", ")})` : "";
type Forms = readonly (readonly z.core.$ZodIssue[])[];
const isOfType = ({ path }: z.core.$ZodIssue): boolean => path.length === 1 && path[0] === "type";
const isTyped = (forms: Forms): boolean => forms.some((issues) => issues.some(isOfType));
/** Those whose `type` is the one given, if there is one; the one with the least wrong. */
function formMeant(forms: Forms): readonly z.core.$ZodIssue[] | undefined {
  const candidates = forms.filter((issues) => !issues.some(isOfType));
  return candidates.toSorted((a, b) => a.length - b.length)[0];
}
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
