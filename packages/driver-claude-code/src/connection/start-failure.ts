/** Why a process did not get as far as its first word, as an error people can act on. */
import { MooringError, ResumeFailed } from "@mooring/host/driver";

export function startFailure(message: string): MooringError {
  if (/no conversation found/i.test(message))
    return new ResumeFailed("missing", "Claude Code has no transcript of this conversation any more.");
  if (/already in use/i.test(message))
    return new ResumeFailed("refused", "Claude Code has this conversation open in another process.");
  if (/No message found|resumeSessionAt|--resume-session-at/i.test(message))
    return new ResumeFailed("missing", "Claude Code does not know the message this conversation was to go on from.");
  return new MooringError("agent-start-failed", `Claude Code did not start: ${message}`, { retry: "later" });
}
