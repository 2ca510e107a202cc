import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Test workers, their threads and the programs they start keep what they compile: half of what a start costs.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/mooring-compile");

export default defineConfig({
  resolve: { conditions: ["mooring-source"] },
  ssr: { resolve: { conditions: ["mooring-source"], externalConditions: ["mooring-source"] } },
  test: {
    environment: "node",
    pool: "forks",
    // Both of two cores: by itself vitest would leave one to itself.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/plain-line-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "own",
          setupFiles: ["./test/fixed-seed.ts"],
          include: ["packages/*/src/**/*.test.ts", "examples/*/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "test/agents/**", "test/web/**"],
        },
      },
      {
        extends: true,
        test: { name: "page", include: ["test/web/**/*.test.ts"], globalSetup: ["./test/web/prepare.ts"] },
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
    ],
  },
});
