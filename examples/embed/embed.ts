/** A program with an agent inside: no server, no key, one prompt. `node --conditions=mooring-source examples/embed/embed.ts` */
import { loopDriver } from "@mooring/driver-loop";
import { systemClock, systemIds } from "@mooring/host";
import { createMemoryStore } from "@mooring/host/memory";
import { createAgentSession, createRuntimeHost, ModelRuntime, SessionManager } from "@mooring/host/runtime";
import { scriptedModel } from "@mooring/scripted-model";

/** What the agent answers. `dataDir`: for its home; `cwd`: where it works. */
export async function ask(prompt: string, { dataDir, cwd }: { dataDir: string; cwd: string }): Promise<string> {
  const store = createMemoryStore({ ids: systemIds, clock: systemClock });
  const drivers = [loopDriver({ models: { scripted: scriptedModel } })];
  const host = await createRuntimeHost({ store, drivers, dataDir });
  const providers = { scripted: { needsKey: false, models: [{ id: "scripted" }] } };
  const modelRuntime = await ModelRuntime.create({ authPath: null, modelsPath: null, providers });
  const { session } = await createAgentSession({ host, modelRuntime, sessionManager: SessionManager.create(cwd) });
  let said = "";
  session.subscribe((event) => {
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta")
      said += event.assistantMessageEvent.delta;
  });
  await session.prompt(prompt);
  await session.dispose();
  await host.shutdown();
  return said;
}
