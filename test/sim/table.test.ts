import { describe, expect, test } from "vitest";
import { eventTypes, outcomeOf, phaseKinds, phases } from "./fixtures.ts";
import { cells } from "./table.ts";

test("the fixtures are in their phases", () => {
  for (const kind of phaseKinds) expect(phases[kind].phase.kind).toBe(kind);
});
describe.each(phaseKinds)("%s", (phase) => {
  test.each(eventTypes)("%s", (type) => {
    const want = cells[phase][type];
    const got = outcomeOf(phase, type);
    expect(got ?? "ignored").toBe(want.startsWith("ignored: ") ? "ignored" : want);
  });
});
