/**
 * Schedules that found a bug once and are too rare to wait for. They are played before the random ones, as they are: one
 * that a change of the world has made harmless is replaced when a mutant says that nobody sees it any more.
 */
const found: readonly (readonly number[])[] = [
  // a stop of a parked turn whose end, which names a steer, still waits behind a turn of the agent's own
  [0, 5_884, 65_491, 27_868, 14_740, 65_531, 50_208, 14_260, 51_811, 25_451, 41_780, 53_236, 39_713],
  // a reply that background work owes fails after the agent's end named a steer
  [0, 60_143, 29_044, 50_812, 34_307, 42_331, 1_931, 40_667, 18_432, 39_028, 7_139],
  // two connections under a hold give generations the same name, and both end
  [0, 8_210, 26_039, 46_564, 11_531, 19_739, 52_091, 12_859, 8_836, 28_652, 0, 60_432, 14_027, 45_623, 23_891, 61_619],
  // the agent made a turn of one steer, which waits for a person, and never names another
  [0, 10_276, 18_148, 4, 0, 0, 4_115, 45_427, 32_759, 65_524, 37_571, 43_267, 30_179, 62_723],
  // a person stops a compaction beside background work
  [62_373, 9_604, 0, 30_220, 63_947, 16_811, 22_985],
  // a person stops a compaction, and its agent is slow to end
  [15_340, 49_073, 316, 24_905],
];
/** For fast-check. */
export const examples = (): [number[]][] => found.map((choices) => [[...choices]]);
