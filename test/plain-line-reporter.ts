/** Ends a vitest run with one plain line, `N passed, N failed`, counted from the real results. */
import type { Reporter, TestModule } from "vitest/node";

export default class PlainLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed" || state === "skipped") count[state]++;
      }
      // A file that cannot be loaded, or a hook that throws, fails without any test that says so.
      const broken = [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0);
      count.failed += broken.length;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.once("exit", () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
