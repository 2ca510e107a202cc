/**
 * The tools a program gives a session beside its extensions. Invariant: they live as an extension does: those of one
 * generation of the session are gone with it.
 */
import type { SessionHost } from "../../index.ts";
import { UnsupportedByDriver } from "../errors.ts";
import { createEventBus } from "../event-bus.ts";
import { Extension } from "./extension.ts";
import type { ToolDefinition } from "./types.ts";

export type ProgramTools = {
  readonly given: readonly ToolDefinition[];
  /** Throws `UnsupportedByDriver` when the agent of the session takes none. */
  readonly refuse: (name: string) => void;
};

/** `driver`: of the session's agent. */
export function programTools(host: SessionHost, driver: string, given: readonly ToolDefinition[]): ProgramTools {
  const refuse = (name: string): void => {
    if (host.capabilities(driver).ownTools === true) return;
    throw new UnsupportedByDriver(`tools of the program's own (${name})`, driver);
  };
  return { given, refuse };
}

/** The extensions with one more for what the program gives. Throws as `refuse` does, and `bad-tool`; all are released then. */
export function withTools(extensions: readonly Extension[], { given, refuse }: ProgramTools): readonly Extension[] {
  const own = new Extension("<program>", createEventBus());
  const all = [...extensions, own];
  try {
    for (const tool of given) own.api.registerTool(tool);
    for (const { tools } of all) for (const name of tools.keys()) refuse(name);
    return all;
  } catch (cause) {
    for (const extension of all) extension.release();
    throw cause;
  }
}
