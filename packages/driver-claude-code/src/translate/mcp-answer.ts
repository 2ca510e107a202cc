/** What the agent says about a change of its MCP servers. */
import { fieldsOf } from "./frames.ts";

/** Names of servers it could not take. */
export const mcpProblems = (answer: unknown): readonly string[] => Object.keys(fieldsOf(fieldsOf(answer)["errors"]));
