/** Reads a tool's JSON schema down to what the planner uses. Invariant: total. */
import { objectOf } from "./json.ts";

/** Argument names of a JSON schema with their type, `"unknown"` when the schema does not say. */
export function propertiesOf(schema: unknown): Readonly<Record<string, string>> {
  const properties = Object.entries(objectOf(objectOf(schema)["properties"]));
  return Object.fromEntries(
    properties.map(([name, property]) => {
      const type = objectOf(property)["type"];
      return [name, typeof type === "string" ? type : "unknown"];
    }),
  );
}
