/** Mooring's driver for Claude Code. */
export { type ClaudeCodeDriverOptions, claudeCodeDriver } from "./claude-code-driver.ts";
export { claudeCodeInstallation, type Installation } from "./sdk/installation.ts";
