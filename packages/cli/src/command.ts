/** What the command line asks for, as a value. Made by `parse-command.ts`, carried out by `execute.ts`. */
import type { Decision, PermissionMode } from "@mooring/host";

export type RunCommand = {
  readonly kind: "run";
  /** `-`: from standard input. */
  readonly prompt?: string;
  readonly agent?: string;
  readonly workspace?: string;
  readonly session?: string;
  readonly mode?: PermissionMode;
  readonly json: boolean;
};
export type SessionsCommand =
  | { readonly kind: "sessions ls"; readonly search?: string; readonly limit: number; readonly json: boolean }
  | { readonly kind: "sessions show"; readonly session: string; readonly limit: number; readonly json: boolean }
  | { readonly kind: "sessions rm"; readonly session: string };
export type SessionCopyCommand =
  | {
      readonly kind: "sessions fork";
      readonly session: string;
      readonly at?: string;
      readonly before?: string;
      readonly transcript: boolean;
    }
  | {
      readonly kind: "sessions export";
      readonly session: string;
      readonly format: "markdown" | "json";
      readonly out?: string;
    }
  | { readonly kind: "sessions import"; readonly file: string; readonly agent?: string; readonly workspace?: string };

export type AgentSettings = {
  readonly driver?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyStdin?: boolean;
  readonly baseUrl?: string;
  /** The text, or `@` and the file that has it. */
  readonly instructions?: string;
  readonly mode?: PermissionMode;
};
export type AgentsCommand =
  | { readonly kind: "agents ls"; readonly json: boolean }
  | { readonly kind: "agents add"; readonly name: string; readonly settings: AgentSettings }
  | {
      readonly kind: "agents set";
      readonly name: string;
      readonly settings: AgentSettings;
      readonly isDefault: boolean;
    }
  | { readonly kind: "agents rm"; readonly name: string };
export type InstallCommand = { readonly kind: "agents install"; readonly name: string };
export type QueueCommand =
  | { readonly kind: "queue ls"; readonly session?: string; readonly json: boolean }
  | { readonly kind: "queue edit"; readonly session: string; readonly input: string; readonly text: string }
  | { readonly kind: "queue rm"; readonly session: string; readonly input: string }
  | { readonly kind: "queue move"; readonly session: string; readonly input: string; readonly before: string | null }
  | { readonly kind: "queue release"; readonly session: string; readonly input?: string; readonly json: boolean };
export type ApprovalsCommand =
  | { readonly kind: "approvals ls"; readonly session?: string; readonly json: boolean }
  | {
      readonly kind: "approvals answer";
      readonly approval: string;
      readonly decision: Decision;
      readonly reason?: string;
      readonly json: boolean;
    };
export type DoctorCommand = { readonly kind: "doctor"; readonly json: boolean };
export type BackupCommand = { readonly kind: "backup"; readonly path: string };
/** Help or the version: printed as it is. */
export type PrintCommand = { readonly kind: "print"; readonly text: string };

export type HostCommand =
  | RunCommand
  | SessionsCommand
  | SessionCopyCommand
  | AgentsCommand
  | InstallCommand
  | QueueCommand
  | ApprovalsCommand
  | DoctorCommand
  | BackupCommand;
export type Command = HostCommand | PrintCommand;
export type Parsed = { readonly command: Command; readonly debug: boolean };
