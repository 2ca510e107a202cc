/** The load over HTTP against the budgets of DESIGN section 11. */
import { defaultStoreLimits } from "../packages/host/src/stores/limits.ts";
import { atLeast, atMost, type Line } from "./bench.ts";
import type { Part } from "./http-part.ts";
import type { Paired } from "./paired-rounds.ts";
import { digits, exactly, median } from "./stats.ts";

/** `most`: pieces a second when nothing holds them up, against the raw loop's. */
type Load = { readonly all: readonly Part[]; readonly most: Paired; readonly missed: number };
type Measured = {
  readonly load: Load;
  readonly raw: readonly Part[];
  /** The same server without a database. */
  readonly bare: readonly Part[];
  /** Readers of a session. */
  readonly each: number;
  readonly what: string;
};
type Pick = (part: Part) => number;
const rawLoop = "a loop that only writes";

export function httpLines(measured: Measured): readonly Line[] {
  return [cpuLine(measured), rateLine(measured), latencyLine(measured), lagLine(measured), ...restLines(measured)];
}

const of = (parts: readonly Part[], pick: Pick): number => median(parts.map(pick));

function cpuLine(measured: Measured): Line {
  const { all } = measured.load;
  const both = (pick: Pick): string => `${digits(of(all, pick))} to ${digits(of(measured.raw, pick))}`;
  return {
    what: "CPU of the loop per delivered chunk",
    against: rawLoop,
    unit: "x",
    measured: exactly(of(all, ({ loopUs }) => loopUs) / of(measured.raw, ({ loopUs }) => loopUs)),
    budget: atMost(2),
    note: `${both(({ loopUs }) => loopUs)} us; whole process ${both(({ processUs }) => processUs)} us; bare ${digits(of(measured.bare, ({ loopUs }) => loopUs))} us`,
  };
}
function rateLine({ load: { most } }: Measured): Line {
  return {
    what: "most chunks a second, agent to readers",
    against: rawLoop,
    unit: "x",
    measured: most.ratio,
    budget: atLeast(0.5),
    note: `${digits(most.subject)} to ${digits(most.baseline)}/s`,
  };
}
function latencyLine(measured: Measured): Line {
  const { all } = measured.load;
  const both = (parts: readonly Part[]): string =>
    `p50 ${digits(of(parts, ({ p50 }) => p50))} p99 ${digits(of(parts, ({ p99 }) => p99))} ms`;
  return {
    what: "chunk latency p50, agent to reader over HTTP",
    against: `flush interval, ${defaultStoreLimits.flushMs} ms`,
    unit: "ms",
    measured: exactly(of(all, ({ p50 }) => p50) - defaultStoreLimits.flushMs),
    budget: atMost(2),
    note: `${both(all)}; raw ${both(measured.raw)}; bare ${both(measured.bare)}`,
  };
}
function lagLine(measured: Measured): Line {
  const lag: Pick = ({ lagMs }) => lagMs;
  const [persisted, bare] = [of(measured.load.all, lag), of(measured.bare, lag)];
  return {
    what: "loop lag p99 over HTTP",
    against: "the same without a database",
    unit: "x",
    measured: exactly(persisted / bare),
    budget: atMost(2),
    note: `${digits(persisted)} to ${digits(bare)} ms; raw ${digits(of(measured.raw, lag))} ms`,
  };
}
function restLines({ load: { all, missed }, each, what }: Measured): readonly Line[] {
  /** Past the first fifth, which is a minute of five. */
  const late = all.slice(all.length / 5);
  const rss: Pick = ({ rssMb }) => rssMb;
  const sum = (pick: Pick): number => all.reduce((total, part) => total + pick(part), 0);
  return [
    {
      what: "memory at the end",
      against: "after the first fifth",
      unit: "x",
      measured: exactly(of(late.slice(-2), rss) / of(late.slice(0, 2), rss)),
      budget: atMost(1.1),
      note: `${digits(of(late.slice(-2), rss))} MB`,
    },
    {
      what: "chunks that came in time",
      against: "chunks said",
      unit: "x",
      measured: exactly(sum(({ pieces }) => pieces) / (sum(({ said }) => said) * each)),
      budget: null,
      note: `${what}, ${each} readers each; ${digits(of(all, ({ perSecond }) => perSecond))}/s reached; ${missed} not said between turns`,
    },
  ];
}
