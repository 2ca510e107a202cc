/** The model is asked about an input once, unless a person frees it again; and never about one that waits. */
import type { LoggedRequest } from "@mooring/scripted-model";
import { type Evidence, type Finding, found, type Rule, said } from "./evidence.ts";

/** Every text of these tests names its input. */
const asksAbout =
  (inputId: string) =>
  ({ prompt }: LoggedRequest): boolean => {
    const newest = prompt.at(-1);
    return newest?.role === "user" && newest.text.split(/\s/).includes(inputId);
  };
const timesAsked = ({ requests }: Evidence, inputId: string): number => requests.filter(asksAbout(inputId)).length;

const askedOnce: Rule = (evidence) => {
  const released = said(evidence.lines, "released");
  const tooOften = evidence.stored.inputs.filter(({ id }) => {
    return timesAsked(evidence, id) > 1 + released.filter(({ inputId }) => inputId === id).length;
  });
  return found(
    "an input is sent once",
    tooOften.map(({ id }) => id),
  );
};

const answeredByModel: Rule = (evidence) => {
  const silent = evidence.stored.inputs.filter(
    ({ id, state }) => state === "answered" && timesAsked(evidence, id) === 0,
  );
  return found(
    "an answered input was sent",
    silent.map(({ id }) => id),
  );
};

const waitingUnsent: Rule = (evidence) => {
  const sent = evidence.stored.inputs.filter(({ id, state, reason }) => {
    return (state === "queued" || (state === "held" && reason !== "uncertain")) && timesAsked(evidence, id) > 0;
  });
  return found(
    "an input that waits was not sent",
    sent.map(({ id }) => id),
  );
};

export const modelRules: readonly Rule[] = [askedOnce, answeredByModel, waitingUnsent];

/** Requests after the kill that go on with what was asked before it: only a person may want that. */
export function askedAgain(before: readonly LoggedRequest[], now: readonly LoggedRequest[]): readonly Finding[] {
  const known = new Set(before.map(newestWish));
  const again = now.slice(before.length).filter((request) => known.has(newestWish(request)));
  return found(
    "recovery asks the model nothing again",
    again.map(({ n, step }) => `request ${n}, ${step.kind}`),
  );
}
const newestWish = ({ prompt }: LoggedRequest): string =>
  prompt.findLast((message) => message.role === "user")?.text ?? "";
