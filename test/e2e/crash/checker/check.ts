/**
 * Whether a host kept its promises across a crash, judged from four things alone: the database, the client's log of
 * acknowledgements, the lines the tools left, and the model's log of requests. Pure: the same evidence, the same findings.
 */
import type { Evidence, Finding } from "./evidence.ts";
import { inputRules } from "./input-rules.ts";
import { journalRules } from "./journal-rules.ts";
import { modelRules } from "./model-rules.ts";
import { toolRules } from "./tool-rules.ts";
import { treeRules } from "./tree-rules.ts";
import { turnRules } from "./turn-rules.ts";

const rules = [...treeRules, ...inputRules, ...turnRules, ...toolRules, ...modelRules, ...journalRules];

export const check = (evidence: Evidence): Finding[] => rules.flatMap((rule) => rule(evidence));
