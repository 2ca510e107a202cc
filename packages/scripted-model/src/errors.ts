/** The errors of this package that are not the AI SDK's own. `code` is stable. */

export type ScriptedModelErrorCode = "cut" | "listen-failed" | "bad-argument" | "body-too-large";

export class ScriptedModelError extends Error {
  readonly code: ScriptedModelErrorCode;
  constructor(code: ScriptedModelErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ScriptedModelError";
    this.code = code;
  }
}

/** Whether `#cut` ended this response. */
export const isCut = (error: unknown): boolean => error instanceof ScriptedModelError && error.code === "cut";
