/** Why a child could not be started or seen. The message names the command and what to do. */
import { MooringError, type Retry } from "../../protocol/errors.ts";

export type ProcessErrorCode =
  | "command-not-found"
  | "directory-missing"
  | "spawn-failed"
  | "process-unrecorded"
  | "too-many-processes"
  | "supervisor-stopped"
  | "process-list-failed";

export class ProcessError extends MooringError {
  constructor(code: ProcessErrorCode, message: string, options: { readonly retry?: Retry; readonly cause?: unknown }) {
    super(code, message, options);
    this.name = "ProcessError";
  }
}
