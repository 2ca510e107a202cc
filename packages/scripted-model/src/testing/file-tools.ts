/** AI SDK tools over an in-memory folder, for tests that run a real tool loop. */
import { jsonSchema, type ToolSet, tool } from "ai";

const notAnObject = new TypeError("The arguments are not an object.");
// Shallow on purpose: it tells broken arguments from whole ones, which is all these tests need.
const isObject = <T>(value: unknown): value is T => typeof value === "object" && value !== null;

/** `ls`, `read`, `write` and `bash` (which echoes its command). The folder is changed by `write`. */
export function memoryTools(folder: Map<string, string>): ToolSet {
  const schema = <T>(...names: readonly string[]) =>
    jsonSchema<T>(
      {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
        required: [...names],
        additionalProperties: false,
      },
      { validate: (value) => (isObject<T>(value) ? { success: true, value } : { success: false, error: notAnObject }) },
    );
  return {
    ls: tool({ inputSchema: schema<{ path: string }>("path"), execute: () => [...folder.keys()].join("\n") }),
    read: tool({
      inputSchema: schema<{ path: string }>("path"),
      execute: ({ path }) => folder.get(path) ?? `Error: there is no ${path}`,
    }),
    write: tool({
      inputSchema: schema<{ path: string; content: string }>("path", "content"),
      execute: ({ path, content }) => {
        folder.set(path, content);
        return "written";
      },
    }),
    bash: tool({ inputSchema: schema<{ command: string }>("command"), execute: ({ command }) => `ran ${command}` }),
  };
}
