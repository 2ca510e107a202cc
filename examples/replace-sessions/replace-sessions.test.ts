import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopDriver } from "@mooring/driver-loop";
import { silentLog, systemClock, systemIds } from "@mooring/host";
import { createRuntimeHost } from "@mooring/host/runtime";
import { openSqliteStore } from "@mooring/host/sqlite";
import { scriptedModel } from "@mooring/scripted-model";
import { expect, test, vi } from "vitest";
import { replaceSessions } from "./replace-sessions.ts";

test("the first session is found again with all that was said in it", async () => {
  const place = await mkdtemp(join(tmpdir(), "mooring-replace-"));
  vi.stubEnv("MOORING_AGENT_DIR", join(place, "agent"));
  const dataDir = join(place, "data");
  const store = await openSqliteStore({ dataDir, ids: systemIds, clock: systemClock, log: silentLog });
  const host = await createRuntimeHost({
    store,
    drivers: [loopDriver({ models: { scripted: scriptedModel } })],
    dataDir,
  });
  try {
    await host.stored.agents.add({ name: "scripted", driver: "loop", model: "scripted" });
    const [first, second, again] = await replaceSessions(host, place);
    expect([again === first, second === first]).toEqual([true, false]);
    expect((await host.stored.messages(first ?? "")).messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "user", "assistant"],
    ]);
  } finally {
    await host.shutdown({ graceMs: 0 });
    vi.unstubAllEnvs();
    await rm(place, { recursive: true, force: true });
  }
});
