/**
 * The verdict on a call at this moment: the disk is read, the engine asked, then the embedder's hook, then the engine
 * again, since everything may have changed while the hook thought. Invariants: a turn never gets more than its
 * configuration when it began, nor more than that of now; the hook tightens and never loosens: a call with an input of
 * its own is judged like any other.
 */
import type { ToolCall } from "../../ports/driver.ts";
import { carriable } from "../../protocol/carriable.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { ToolHookAnswer } from "../api.ts";
import { realPathOf, resolveLinks } from "./containment.ts";
import { decide } from "./decide.ts";
import type { JudgedCall, Place } from "./subject.ts";
import { type Policy, stricterVerdict, type Verdict } from "./verdict.ts";

/** The embedder's word on a call. */
export type ToolHook = (call: ToolCall) => Promise<ToolHookAnswer>;
/** What a call is judged by, read anew each time. */
export type Bounds = {
  readonly now: Policy;
  /** When the call's turn began; null: it belongs to no turn the host knows. */
  readonly atStart: Policy | null;
  readonly place: Place;
};
export type AskedCall = Pick<ToolCall, "toolName" | "category" | "input" | "paths" | "needsPerson">;

export type Judgement = { readonly verdict: Verdict; readonly call: JudgedCall; readonly place: Place };

export async function judgeCall(call: ToolCall, bounds: () => Bounds, hook: ToolHook | null): Promise<Judgement> {
  const before = await judgeNow(call, bounds);
  if (before.verdict.effect === "deny" || hook === null) return before;
  const said = await hook(call);
  if (typeof said === "object" && "deny" in said) return { ...before, verdict: hookDenies(said.deny) };
  const asked = typeof said === "object" ? await replaced(call, said.input) : call;
  if (typeof asked === "string") return { ...before, verdict: hookDenies(asked) };
  const after = await judgeNow(asked, bounds);
  return said === "ask" ? { ...after, verdict: stricterVerdict(after.verdict, hookAsks) } : after;
}
const hookDenies = (because: string): Verdict => ({ effect: "deny", by: "hook", because });
/** The call with the hook's input; else why it cannot be made. */
async function replaced(call: ToolCall, given: unknown): Promise<ToolCall | string> {
  const input = carriable(given);
  if (!call.replaceInput) return "The host's own check changed the input, which this agent does not take.";
  try {
    return { ...call, input, paths: await call.replaceInput(input) };
  } catch (cause) {
    return `With the input of the host's own check: ${messageOf(cause)}`;
  }
}
const hookAsks: Verdict = { effect: "ask", by: "hook", because: "The host's own check asks." };

/** Without the hook: also for a call that waits for an answer. */
export async function judgeNow(asked: AskedCall, bounds: () => Bounds): Promise<Judgement> {
  const [call, place] = await Promise.all([resolved(asked), resolvedPlace(bounds().place)]);
  const { now, atStart } = bounds();
  const workspace = bounds().place.workspace;
  if (place.workspace !== workspace) return { verdict: movedAway(workspace), call, place };
  const verdict = decide(call, place, now);
  if (atStart === null) return { verdict, call, place };
  return { verdict: stricterVerdict(verdict, asWhenItBegan(decide(call, place, atStart))), call, place };
}
/** Its links were resolved when the session was made: what stands there now is another directory. */
const movedAway = (workspace: string): Verdict => ({
  effect: "deny",
  by: "containment",
  because: `The session's workspace ${workspace} is a link to another directory now. Put it back, or begin a session there.`,
});
const asWhenItBegan = (verdict: Verdict): Verdict => ({
  ...verdict,
  because: `${verdict.because} (As configured when the turn began.)`,
});
async function resolved(call: AskedCall): Promise<JudgedCall> {
  const { toolName, category, input, needsPerson = false } = call;
  const paths = await Promise.all(call.paths.map(async (given) => ({ given, real: await realPathOf(given) })));
  return { toolName, category, input, paths, needsPerson };
}
async function resolvedPlace({ workspace, home, dataDir, userHome }: Place): Promise<Place> {
  const real = (path: string): Promise<string> => resolveLinks(path).catch(() => path);
  return {
    workspace: await real(workspace),
    home: await real(home),
    dataDir: await real(dataDir),
    userHome: await real(userHome),
  };
}
