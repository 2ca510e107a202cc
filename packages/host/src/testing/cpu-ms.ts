/** What work costs, whatever else the machine does: for tests that something is not slow. */

/** Milliseconds of processor time this process spends in `work`. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
