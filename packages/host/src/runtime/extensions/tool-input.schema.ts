/** What a tool says of its input, as a check of it. */
import { z } from "zod";
import type { OwnTool } from "../../ports/driver.ts";
import type { JSONObject } from "../../protocol/chunks.ts";

/** Throws for a schema that cannot be checked. Defaults of the schema are filled in. */
export function inputParser(schema: JSONObject): OwnTool["parse"] {
  const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (input) => {
    const parsed = check.safeParse(input);
    return parsed.success ? { input: parsed.data } : { problem: z.prettifyError(parsed.error) };
  };
}
