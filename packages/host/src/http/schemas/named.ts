/** A schema with a name of its own in the API's description. */
import type { z } from "zod";

export const named = <Schema extends z.ZodType>(name: string, schema: Schema, description?: string): Schema =>
  schema.meta({ id: name, ref: name, ...(description === undefined ? {} : { description }) });
