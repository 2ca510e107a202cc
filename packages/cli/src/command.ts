/** What the command line asks for, as a value. Made by `parse-command.ts`, carried out by `execute.ts`. */
import type { AnswerScope, Decision, PermissionMode, RuleEffect, RuleScope } from "@mooring/host";

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
  | { readonly kind: "sessions rm"; readonly session: string }
  | { readonly kind: "sessions restore"; readonly session: string };
/** How to go on when the agent's own session is lost. */
export type ResumeCommand = {
  readonly kind: "sessions resume";
  readonly session: string;
  readonly choice: "retry" | "fresh" | "fresh-with-transcript";
  readonly json: boolean;
};
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
  | {
      readonly kind: "sessions import";
      readonly file: string;
      readonly agent?: string;
      readonly workspace?: string;
      /** Although it was imported before. */
      readonly again: boolean;
    };

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
  | { readonly kind: "agents rm"; readonly name: string; readonly force: boolean };
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
      readonly scope?: AnswerScope;
      readonly reason?: string;
      readonly json: boolean;
    };
export type RulesCommand =
  | { readonly kind: "rules ls"; readonly session?: string; readonly agent?: string; readonly json: boolean }
  | {
      readonly kind: "rules add";
      readonly effect: RuleEffect;
      readonly tool: string;
      readonly pattern: string | null;
      readonly scope: RuleScope;
      readonly session?: string;
      readonly agent?: string;
    }
  | { readonly kind: "rules rm"; readonly rule: string };
export type PauseCommand =
  | { readonly kind: "pause"; readonly reason: string /** Seconds. */; readonly drain?: number }
  | { readonly kind: "resume"; readonly reason?: string };
export type ServeCommand = {
  readonly kind: "serve";
  readonly port: number;
  readonly host: string;
  /** As given; none: the current directory. */
  readonly roots: readonly string[];
  readonly origins: readonly string[];
  readonly dataDir?: string;
};
export type RpcCommand = {
  readonly kind: "rpc";
  readonly agent?: string;
  readonly workspace?: string;
  readonly session?: string;
};
export type DoctorCommand = { readonly kind: "doctor"; readonly json: boolean };
export type BackupCommand = { readonly kind: "backup"; readonly path: string };
/** Help or the version: printed as it is. */
export type PrintCommand = { readonly kind: "print"; readonly text: string };

export type HostCommand =
  | RunCommand
  | SessionsCommand
  | ResumeCommand
  | SessionCopyCommand
  | AgentsCommand
  | InstallCommand
  | QueueCommand
  | ApprovalsCommand
  | RulesCommand
  | PauseCommand
  | ServeCommand
  | RpcCommand
  | DoctorCommand
  | BackupCommand;
export type Command = HostCommand | PrintCommand;
export type Parsed = { readonly command: Command; readonly debug: boolean };
