/** What `mooring agents install claude-code` does, as facts: the command carries it out. */
import { agentDirectory, findSdk, sdkPackage, sdkVersion } from "./resolve-sdk.ts";

export type Installation = {
  readonly name: string;
  readonly package: string;
  /** The one version the driver was made for. */
  readonly version: string;
  /** On disk, about. */
  readonly megabytes: number;
  directory(dataDir: string): string;
  /** The version that is there; null: none. */
  installed(dataDir: string): Promise<string | null>;
};

export const claudeCodeInstallation: Installation = {
  name: "claude-code",
  package: sdkPackage,
  version: sdkVersion,
  megabytes: 450,
  directory: agentDirectory,
  installed: async (dataDir) => (await findSdk([agentDirectory(dataDir)]))?.version ?? null,
};
