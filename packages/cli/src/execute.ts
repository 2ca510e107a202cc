/** Carries a command out. Each kind is loaded when it is asked for: nothing waits for what it does not use. */
import type { HostCommand } from "./command.ts";
import type { Context } from "./commands/host-request.ts";

/** Resolves to the exit status. */
export async function execute(command: HostCommand, context: Context): Promise<number> {
  switch (command.kind) {
    case "run":
      return (await import("./commands/run.ts")).run(command, context);
    case "sessions ls":
    case "sessions show":
    case "sessions rm":
    case "sessions restore":
      await (await import("./commands/sessions.ts")).sessions(command, context);
      return 0;
    case "sessions resume":
      return (await import("./commands/sessions-resume.ts")).resumeSession(command, context);
    case "sessions fork":
      await (await import("./commands/sessions-fork.ts")).forkSession(command, context);
      return 0;
    case "sessions export":
      await (await import("./commands/sessions-export.ts")).exportSession(command, context);
      return 0;
    case "sessions import":
      await (await import("./commands/sessions-import.ts")).importSession(command, context);
      return 0;
    case "agents ls":
    case "agents add":
    case "agents set":
    case "agents rm":
      await (await import("./commands/agents.ts")).agents(command, context);
      return 0;
    case "agents install":
      return (await import("./commands/agents-install.ts")).installAgent(command, context);
    case "queue ls":
    case "queue edit":
    case "queue rm":
    case "queue move":
    case "queue release":
      return (await import("./commands/queue.ts")).queue(command, context);
    case "approvals ls":
    case "approvals answer":
      return (await import("./commands/approvals.ts")).approvals(command, context);
    case "rules ls":
    case "rules add":
    case "rules rm":
      await (await import("./commands/rules.ts")).rules(command, context);
      return 0;
    case "pause":
    case "resume":
      return (await import("./commands/pause.ts")).pause(command, context);
    case "serve":
      return (await import("./serve/serve.ts")).serve(command, context);
    case "rpc":
      return (await import("./commands/rpc.ts")).rpc(command, context);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctor(command, context);
    case "backup":
      await (await import("./commands/backup.ts")).backup(command, context);
      return 0;
  }
}
