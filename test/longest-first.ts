/** The order of test files: those that are known to take long begin first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of paths, longest first. */
const long = [
  "test/web/page",
  "test/sim/mutants",
  "test/e2e/crash/",
  "test/web/",
  "sqlite/sqlite.test",
  "story",
  "test/agents/",
];
const rank = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex((part) => moduleId.includes(part));
  return place < 0 ? long.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
