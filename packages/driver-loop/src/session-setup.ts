/** What a session of the loop begins with: its instructions, and where its long outputs go. */
import { join } from "node:path";
import type { ConnectInput } from "@mooring/host/driver";

/** The prompt's base, or the loop's own, and what the host adds. */
export function instructionsOf({ base, append }: ConnectInput["prompt"], workspace: string): string {
  return [base ?? ownInstructions(workspace), append].filter((text) => text.trim() !== "").join("\n\n");
}

const ownInstructions = (workspace: string): string =>
  [
    `You are a coding agent. You work in the directory ${workspace} and reach nothing outside it with your file tools.`,
    "Look before you change: read a file before you edit it. Use grep and find to search, bash to run programs.",
    "When a tool fails or is denied, say so or find another way; do not pretend that it worked.",
    "Be brief. End with what you did and what the user should know.",
  ].join("\n");

/** In the agent's home, which the policy lets it read. A session id is host text: only a plain name becomes a path. */
export const outputsDirectory = ({ home, session }: ConnectInput): string =>
  join(home, "outputs", session.sessionId.replace(/[^\w-]/g, "_"));
