import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

// Test workers, their threads and the programs they start keep what they compile: half of what a start costs.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/mooring-compile");

export default defineConfig({
  resolve: { conditions: ["mooring-source"] },
  ssr: { resolve: { conditions: ["mooring-source"], externalConditions: ["mooring-source"] } },
  test: {
    environment: "node",
    pool: "forks",
    // More than there are cores: many tests wait for a process or for the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/plain-line-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "own",
          // Files share no global state, so a worker loads each module once.
          isolate: false,
          setupFiles: ["./test/fixed-seed.ts", "./test/own-temp-dir.ts"],
          include: ["packages/*/src/**/*.test.ts", "examples/*/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "test/agents/**", "test/bench/**", "test/web/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: ["test/web/**/*.test.ts"],
          globalSetup: ["./test/web/prepare.ts"],
          expect: { poll: { timeout: 20_000 } }, // a browser on a busy machine
        },
      },
      {
        extends: true,
        test: {
          name: "agents",
          include: ["test/agents/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["./test/agents/install.ts"],
        },
      },
      {
        extends: true,
        // A part of `npm run verify`: nothing the product promises is in them.
        test: { name: "benchmarks", include: ["test/bench/**/*.test.ts"], globalSetup: ["./test/agents/install.ts"] },
      },
    ],
  },
});
