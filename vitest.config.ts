import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["mooring-source"] },
  ssr: { resolve: { conditions: ["mooring-source"], externalConditions: ["mooring-source"] } },
  test: {
    environment: "node",
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/plain-line-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "own",
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
