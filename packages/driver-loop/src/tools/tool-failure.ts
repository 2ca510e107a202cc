/**
 * A tool call that did not do what was asked, in words for the model. Its text reaches the model unchanged: the AI SDK
 * shows a thrown error as its `toString`, which here is the bare message.
 */
import { MooringError } from "@mooring/host/driver";

export class ToolFailure extends MooringError {
  constructor(message: string, cause?: unknown) {
    super("tool-failed", message, { cause });
    this.name = "ToolFailure";
  }
  override toString(): string {
    return this.message;
  }
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
};

/** The failure that an error of the file system is to the model; `path` as the model wrote it. */
export function fileFailure(path: string, cause: unknown): ToolFailure {
  if (cause instanceof ToolFailure) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = systemReasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new ToolFailure(`${path}: ${reason}.`, cause);
}
