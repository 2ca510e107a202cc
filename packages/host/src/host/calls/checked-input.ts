/** What a client may submit, checked before any row exists: sizes, well-formed text, ids, and what the agent can do. */
import type { AgentSessionRuntimeDriver } from "../../ports/driver.ts";
import { carriable } from "../../protocol/carriable.ts";
import { MooringError } from "../../protocol/errors.ts";
import type { Branch, Delivery, Part } from "../../protocol/input.ts";
import type { NewInput } from "../api.ts";

const deliveries: readonly Delivery[] = ["steer", "queue", "interrupt", "reject"];
const idForm = /^[A-Za-z0-9._:-]{1,128}$/;

/** Its parts, well-formed, and the host's own from now on. Throws `bad-input` or `input-too-large`. */
export function partsOf(input: NewInput, maxBytes: number): readonly Part[] {
  if (input.text !== undefined && input.parts !== undefined) throw bad("parts", "Give either text or parts, not both.");
  const parts: readonly Part[] = input.parts ?? (input.text === undefined ? [] : [{ type: "text", text: input.text }]);
  const json = JSON.stringify(carriable(parts));
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes)
    throw new MooringError(
      "input-too-large",
      `The input has ${bytes} bytes; at most ${maxBytes} are taken. Send less, or files.`,
      {
        detail: { bytes, maxBytes },
      },
    );
  if (parts.length === 0 || parts.every(isEmpty)) {
    if (input.branch?.position === "at" && parts.length === 0) return [];
    throw bad("text", "The input is empty. Give text or parts.");
  }
  return JSON.parse(json);
}
const isEmpty = (part: Part): boolean => part.type === "text" && part.text.trim() === "";

export function checkInput(input: NewInput): void {
  if (input.id !== undefined && !idForm.test(input.id))
    throw bad("id", "An input id has 1 to 128 letters, digits, dots, colons, dashes or underscores.");
  if (input.delivery !== undefined && !deliveries.includes(input.delivery))
    throw bad("delivery", `Delivery is one of ${deliveries.join(", ")}.`);
}
export function checkBranch(branch: Branch, driver: AgentSessionRuntimeDriver): void {
  if (branch.position !== "before" && branch.position !== "at") throw bad("branch", "A position is before or at.");
  const { history, rewind, fork } = driver.capabilities;
  if (history === "host" || rewind || (fork && driver.fork !== undefined)) return;
  throw new MooringError("rewind-unsupported", "This agent cannot go back in its history. Fork the session instead.");
}
const bad = (field: string, message: string): MooringError =>
  new MooringError("bad-input", message, { detail: { field } });
