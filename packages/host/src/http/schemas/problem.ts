/** What an error looks like. */
import { z } from "zod";
import { named } from "./named.ts";

const field = z.object({
  in: z.enum(["body", "query", "header"]),
  pointer: z.string().meta({ description: "JSON pointer (RFC 6901)." }),
  detail: z.string(),
});
export const problem = named(
  "Problem",
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    retry: z.enum(["never", "later", "now"]),
    hint: z.string().meta({ description: "What to do, or where to look for what there is." }).exactOptional(),
    errors: z.array(field).exactOptional(),
  }),
  "RFC 9457. `code` and `type` never change; beside these there are facts of the error.",
);
