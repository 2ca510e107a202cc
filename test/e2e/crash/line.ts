/**
 * What a child tells its parent, one JSON line each on standard output, written at once so that a killed child has said
 * everything it knew. The acknowledgements among them are the client's own log.
 */
import { writeSync } from "node:fs";
import type { SessionEvent } from "../../../packages/host/src/protocol/events.ts";
import type { ApprovalId, InputId, Seq } from "../../../packages/host/src/protocol/ids.ts";

export type Line =
  /** `submit` resolved: the input is durable. */
  | { readonly say: "ack"; readonly inputId: InputId; readonly disposition: string }
  /** What a viewer of the session saw, a stored message left out. */
  | { readonly say: "event"; readonly seq: Seq; readonly event: SessionEvent }
  /** The store was told to fold; it has done so. */
  | { readonly say: "fold-begun" }
  | { readonly say: "fold-done"; readonly touched: number }
  | { readonly say: "migrating"; readonly step: number }
  | { readonly say: "migrated" }
  /** The store is open, and the host begins to repair. */
  | { readonly say: "opened" }
  /** `createHost` resolved. */
  | { readonly say: "recovered" }
  /** A person allowed it after the restart. */
  | { readonly say: "allowed"; readonly approvalId: ApprovalId }
  /** A person frees a held input: it may go to the model once more. */
  | { readonly say: "released"; readonly inputId: InputId }
  | { readonly say: "done" };

export const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);
export const readLine = (text: string): Line => JSON.parse(text) as Line;
