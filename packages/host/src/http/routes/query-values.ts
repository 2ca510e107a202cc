/** Values of queries and headers that several routes read. */
import { z } from "zod";
import { defaultHttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";

const digits = z.string().regex(/^\d{1,15}$/, "use a whole number, 0 or more");
export const wholeNumber = digits.transform(Number).pipe(z.int());
export const pageLimit = digits
  .transform(Number)
  .pipe(z.int().min(1).max(defaultHttpLimits.pageRows))
  .exactOptional()
  .meta({ description: `Rows of one page, at most ${defaultHttpLimits.pageRows}.` });
export const yesOrNo = z.enum(["true", "false"]).transform((text) => text === "true");

/** As the draft of the HTTP working group writes it, in quotes, or bare. Throws `bad-request`. */
export function idempotencyKey(call: { header(name: string): string | undefined }): string | undefined {
  const given = call.header("idempotency-key");
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  if (/^[A-Za-z0-9._:-]{1,128}$/.test(key)) return key;
  const detail = "it has 1 to 128 letters, digits, dots, colons, dashes or underscores";
  throw httpError("bad-request", `The header Idempotency-Key is not right: ${detail}.`, {
    errors: [{ in: "header", pointer: "/idempotency-key", detail }],
  });
}
