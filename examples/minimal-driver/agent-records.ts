/** What the agent says, and what it is told: the only file that knows its language. */
export type AgentRecord =
  | { readonly type: "ready"; readonly version: string }
  | { readonly type: "commands"; readonly commands: unknown }
  | { readonly type: "text" | "thought"; readonly id: string; readonly text: string }
  | {
      readonly type: "call";
      readonly id: string;
      readonly call: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | {
      readonly type: "result";
      readonly id: string;
      readonly call: string;
      readonly output?: string;
      readonly error?: string;
    }
  | { readonly type: "usage"; readonly id: string; readonly n: number; readonly input: number; readonly output: number }
  | { readonly type: "done"; readonly id: string; readonly reason: string; readonly message?: string };
export type HostRecord =
  | {
      readonly type: "prompt";
      readonly id: string;
      readonly model: string;
      readonly system: string;
      readonly history: readonly { readonly role: string; readonly text: string }[];
      readonly text: string;
    }
  | { readonly type: "cancel"; readonly id: string }
  | {
      readonly type: "answer";
      readonly call: string;
      readonly allow: boolean;
      readonly command?: string;
      readonly reason?: string;
    };

type Shape = Readonly<Record<string, "string" | "number">>;
const turn = { id: "string" } as const;
const shapes: Readonly<Record<AgentRecord["type"], Shape>> = {
  ready: { version: "string" },
  commands: {},
  text: { ...turn, text: "string" },
  thought: { ...turn, text: "string" },
  call: { ...turn, call: "string", tool: "string" },
  result: { ...turn, call: "string" },
  usage: { ...turn, n: "number", input: "number", output: "number" },
  done: { ...turn, reason: "string" },
};

/** Null: no record, or of a kind this driver does not know. */
export function recordOf(line: string): AgentRecord | null {
  const value = parsed(line);
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  const { type } = value;
  if (typeof type !== "string" || !Object.hasOwn(shapes, type)) return null;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const shape = Object.entries(shapes[type as AgentRecord["type"]]);
  return shape.every(([name, kind]) => typeof fields[name] === kind) ? (value as AgentRecord) : null;
}
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
