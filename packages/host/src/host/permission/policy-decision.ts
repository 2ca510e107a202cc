/** A verdict in the words of the driver contract, and on record. */
import type { PolicyDecision, ToolCall } from "../../ports/driver.ts";
import type { CallRecords } from "./call-records.ts";
import type { Judgement } from "./judge-call.ts";

export function decisionOn(records: CallRecords, call: ToolCall, judgement: Judgement): PolicyDecision {
  const { verdict } = judgement;
  const editor = records.editedBy(call);
  if (verdict.effect === "ask" && editor !== null) {
    const because = `Allowed by ${editor}, with another input.`;
    records.decided(call, { ...judgement, verdict: { effect: "allow", by: "person", because } });
    return "allow";
  }
  records.decided(call, judgement);
  return verdict.effect === "deny" ? { deny: verdict.because } : verdict.effect;
}
