/** How a turn ended, in one line: outcome, duration, tokens. */
import type { SessionEvent } from "@mooring/host";
import { countText, durationText } from "../text/amounts.ts";
import type { Look } from "../text/look.ts";
import { errorSummary } from "../text/tool-summary.ts";

type Settled = Extract<SessionEvent, { type: "turn.settled" }>;

export function outcomeLine({ outcome, error, durationMs, usage }: Settled, look: Look): string {
  const time = durationText(durationMs);
  const facts = look.dim(usageText(usage));
  const why = error === undefined ? "" : `: ${errorSummary(error.message)} (${errorSummary(error.code)})`;
  switch (outcome) {
    case "completed":
      return `${look.green("✓ completed")} in ${time}${facts}`;
    case "failed":
      return `${look.red(`✗ failed after ${time}${why}`)}${facts}`;
    case "stopped":
      return `${look.yellow(`■ stopped after ${time}`)}${facts}`;
    case "interrupted":
      return `${look.yellow(`■ interrupted after ${time}${why}`)}${facts}`;
  }
}

function usageText({ input, output, cacheRead }: Settled["usage"]): string {
  if (input === 0 && output === 0) return "";
  const cached = cacheRead === 0 ? "" : ` (${cacheRead.toLocaleString("en-US")} cached)`;
  return ` · ${countText(input, "token")} in${cached}, ${output.toLocaleString("en-US")} out`;
}
