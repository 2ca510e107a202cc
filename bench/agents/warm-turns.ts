/** DESIGN section 11's first two lines: what the host adds to a turn of Claude Code, and what a warm process saves. */
import { randomUUID } from "node:crypto";
import { atMost, type Line } from "../bench.ts";
import { compare, inRounds, type Paired, type Round } from "../paired-rounds.ts";
import { digits } from "../stats.ts";
import { HostedAgent } from "./hosted-agent.ts";
import { RawAgent, rawPlace, turnOfItsOwnProcess } from "./raw-agent.ts";
import type { Stage } from "./stage.ts";
import type { TurnTimes } from "./turn-times.ts";

/** As many chunks as words: sixty in two seconds. */
const slowly = (words: number): string => `#slow 34 ${Array.from({ length: words }, (_, n) => `word${n}`).join(" ")}`;
const short = "#say so it is";
export type Rounds = { readonly rounds: number; readonly words: number; readonly directory: string };

/** A turn of two seconds, warm on both sides. */
export async function addedTime(stage: Stage, { rounds, words, directory }: Rounds): Promise<readonly Line[]> {
  const typical = slowly(words);
  const raw = await RawAgent.start(await rawPlace(directory, stage.baseUrl), { sessionId: randomUUID() });
  const hosted = await hostedOf(stage);
  for (const agent of [raw, hosted]) await agent.turn(short);
  const seen = await inRounds(rounds, { baseline: () => raw.turn(typical), subject: () => hosted.turn(typical) });
  await Promise.all([raw.end(), hosted.end()]);
  const whole = compare(seen, (times) => times.whole);
  const first = compare(seen, (times) => times.first);
  const after = compare(seen, (times) => times.whole - times.first);
  const added = { against: "the raw SDK doing the same", unit: "ms", budget: atMost(10) } as const;
  return [
    {
      what: `a turn of ${digits((words * 34) / 1_000)} s with ${words} chunks through the HTTP API, warm`,
      against: "the raw SDK doing the same",
      unit: "x",
      measured: whole.ratio,
      budget: atMost(1.03),
      note: noteOf(whole),
    },
    {
      what: "  added until its first chunk",
      ...added,
      measured: first.difference,
      note: noteOf(first) + leastOf(seen, (times) => times.first),
    },
    {
      what: "  added until its end",
      ...added,
      measured: whole.difference,
      note: noteOf(whole) + leastOf(seen, (times) => times.whole),
    },
    {
      what: "  added from first chunk to end",
      ...added,
      budget: null,
      measured: after.difference,
      note: noteOf(after),
    },
  ];
}

/** The same short turn, in the conversation's process or in one of its own. */
export async function warmth(stage: Stage, { rounds, directory }: Rounds): Promise<Line> {
  const place = await rawPlace(directory, stage.baseUrl);
  const conversation = randomUUID();
  const begin = await RawAgent.start(place, { sessionId: conversation });
  await begin.turn(short);
  await begin.end();
  const hosted = await hostedOf(stage);
  await hosted.turn(short);
  const seen = await inRounds(rounds, {
    baseline: () => turnOfItsOwnProcess(place, conversation, short),
    subject: () => hosted.turn(short),
  });
  await hosted.end();
  const whole = compare(seen, (times) => times.whole);
  return {
    what: "a warm turn through the HTTP API",
    against: "the raw SDK, one agent process per turn",
    unit: "x",
    measured: whole.ratio,
    budget: atMost(0.2),
    note: noteOf(whole),
  };
}

export async function hostedOf({ served, baseUrl }: Stage): Promise<HostedAgent> {
  const { id } = await served.session(baseUrl, {
    name: `agent-${randomUUID()}`,
    permissionMode: "bypassPermissions", // nobody is there to be asked
  });
  return new HostedAgent(served.client(), id);
}
const noteOf = ({ subject, baseline }: Paired): string => `${digits(subject)} to ${digits(baseline)} ms`;
/** The fastest of each side: what is left when the machine did nothing else. */
const leastOf = (seen: readonly Round<TurnTimes>[], what: (times: TurnTimes) => number): string => {
  const [subject, baseline] = [seen.map((round) => what(round.subject)), seen.map((round) => what(round.baseline))];
  return `; at the least ${digits(Math.min(...subject))} to ${digits(Math.min(...baseline))}`;
};
