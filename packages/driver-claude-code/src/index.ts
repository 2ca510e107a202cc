/** Mooring's driver for Claude Code. */
export { type ClaudeCodeDriverOptions, claudeCodeDriver } from "./claude-code-driver.ts";
export { agentDirectory, findSdk, sdkPackage, sdkVersion } from "./sdk/resolve-sdk.ts";
