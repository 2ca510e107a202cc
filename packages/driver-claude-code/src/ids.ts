/** The contract's ids, taken from the types that carry them. */
import type { TurnInput, WaitingApproval } from "@mooring/host/driver";

export type TurnId = TurnInput["turnId"];
export type InputId = TurnInput["inputId"];
export type ApprovalId = WaitingApproval["approvalId"];
