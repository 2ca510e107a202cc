import { expect, test } from "vitest";
import { requirementIds, requirements } from "./requirements.ts";

test("a requirement has an area, a name and a rule in whole sentences", () => {
  for (const id of requirementIds) {
    expect(id).toMatch(/^[a-z]+\/[a-z-]+$/);
    expect(requirements[id].rule).toMatch(/^[A-Z0-9`].*\.$/);
  }
});
