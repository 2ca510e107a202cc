/** A session outlives its agent: it is read, named, removed and taken back; only going on is refused, with the reason. */
import { expect, test } from "vitest";
import { serverOver, testServer } from "./test-client.ts";

test.each(["the host that removed it", "a host started later"])("in %s", async (where) => {
  const first = await testServer();
  const id = await first.session();
  await first.world.host.agents.remove("agent");
  if (where === "a host started later") await first.world.restart();
  const server = where === "a host started later" ? serverOver(first.world) : first;
  const params = { session: id };
  expect((await server.ask("getSession", { params })).json).toMatchObject({ id, agentName: "" });
  for (const name of ["getSnapshot", "listMessages", "readTree", "exportSession", "getUsage"])
    expect((await server.ask(name, { params })).status, name).toBe(200);
  expect((await server.ask("changeSession", { params, body: { title: "kept" } })).json).toMatchObject({
    title: "kept",
  });
  const refused = await server.ask("submitInput", { params, body: { text: "go on" } });
  expect(refused.json).toMatchObject({
    code: "agent-gone",
    status: 422,
    detail: expect.stringContaining("new session"),
  });
  expect((await server.ask("removeSession", { params })).status).toBe(204);
  expect((await server.ask("getSession", { params })).status).toBe(404);
  const restored = await server.ask("restoreSession", { params });
  expect(restored.json, restored.text).toMatchObject({ id, title: "kept", removedAt: null });
  await server.end();
});
