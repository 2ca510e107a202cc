/** One active session, replaced: a new one, then back to the first. Bind anew after each replacement. */
import {
  type CreateAgentSessionRuntimeFactory,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  getAgentDir,
  type RuntimeHost,
  SessionManager,
} from "@mooring/host/runtime";

const createRuntime: CreateAgentSessionRuntimeFactory = async ({ cwd, host, sessionManager, sessionStartEvent }) => {
  const services = await createAgentSessionServices({ cwd, host });
  return {
    ...(await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent })),
    services,
    diagnostics: services.diagnostics,
  };
};

/** Prompts in a first session, in a second, and in the first again. Returns what each was called. */
export async function replaceSessions(host: RuntimeHost, cwd: string): Promise<readonly (string | undefined)[]> {
  const target = { cwd, host, agentDir: getAgentDir(), sessionManager: SessionManager.create(cwd) };
  const runtime = await createAgentSessionRuntime(createRuntime, target);
  const queued: number[] = [];
  runtime.setRebindSession(async (session) => {
    await session.bindExtensions({});
    session.subscribe((event) => {
      if (event.type === "queue_update") queued.push(event.steering.length + event.followUp.length);
    });
  });
  const files: (string | undefined)[] = [];
  await runtime.session.prompt("#say first");
  files.push(runtime.session.sessionFile);
  await runtime.newSession();
  await runtime.session.prompt("#say second");
  files.push(runtime.session.sessionFile);
  await runtime.switchSession(files[0] ?? "");
  await runtime.session.prompt("#say first again");
  files.push(runtime.session.sessionFile);
  await runtime.dispose();
  return files;
}
