/** How a server begins, whom it refuses, and how it ends. */
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sessionIn } from "../testing/json-lines.ts";
import { sandbox } from "../testing/sandbox.ts";

test("what cannot be served is refused before anything is made, with what to do", async () => {
  const { run, data } = await sandbox();
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const address = taken.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const refused = [
    [["--host", "0.0.0.0"], /only with a token of your own\.\nFor example: export MOORING_TOKEN/],
    [["--host", "192.0.2.1"], /only with a token/],
    [["--port", port], /Something else listens on port \d+ of 127\.0\.0\.1\.\nChoose another/],
    [["--root", "none"], /none is no directory/],
    [["--allow-origin", "everything"], /For example: https:\/\/chat\.example/],
    [["--port", "70000"], /0 to 65535/],
  ] as const;
  for (const [args, words] of refused)
    expect(await run(["serve", ...args])).toMatchObject({ code: 2, out: "", err: expect.stringMatching(words) });
  await expect(readFile(join(data, "lock.db"))).rejects.toThrow();
  const weak = await run(["serve", "--port", "0"], { env: { MOORING_TOKEN: "short" } });
  expect([weak.code, weak.err]).toEqual([1, expect.stringContaining("at least 16 characters")]);
});

test("beyond this computer it starts with a token a person chose, which is not printed, and is needed", async () => {
  const { run, serve, data } = await sandbox();
  const env = { MOORING_TOKEN: "a token that a person chose".replaceAll(" ", "-") };
  const { url, terminal } = await serve(["--host", "0.0.0.0", "--allow-origin", "https://chat.example/"], env);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(terminal.printed.out).not.toContain(env.MOORING_TOKEN);
  expect(terminal.printed.out).toContain("as MOORING_TOKEN says");
  await expect(readFile(join(data, "token"))).rejects.toThrow();
  expect(await run(["sessions", "ls"])).toMatchObject({ code: 2, err: expect.stringContaining("Set MOORING_TOKEN") });
  const other = { MOORING_TOKEN: "another-token-altogether" };
  expect(await run(["sessions", "ls"], { env: other })).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("the token the server was started with") },
  });
  expect((await run(["sessions", "ls"], { env })).out).toBe("There are no sessions yet.\n");
  const asked = (origin: string) =>
    fetch(`${url}/v1/sessions`, { headers: { origin, authorization: `Bearer ${env.MOORING_TOKEN}` } });
  expect((await asked("https://chat.example")).headers.get("access-control-allow-origin")).toBe("https://chat.example");
  expect((await asked("https://evil.example")).status).toBe(403);
});

test("the generated token outlives the server; one server at a time; a record that nobody answers for is passed over", async () => {
  const { run, serve, data } = await sandbox();
  const first = await serve();
  const token = await readFile(join(data, "token"), "utf8");
  expect(await run(["serve", "--port", "0"])).toMatchObject({
    ...{ code: 2, err: expect.stringContaining(`runs already: ${first.url}, pid ${process.pid}`) },
  });
  first.terminal.stop();
  expect(await first.ended).toBe(0);
  await expect(readFile(join(data, "server.json"))).rejects.toThrow();
  for (const pid of [process.pid, 2 ** 22 + 1]) {
    await writeFile(join(data, "server.json"), JSON.stringify({ url: first.url, pid, version: "0" }));
    expect(await run(["sessions", "ls"])).toMatchObject({ code: 0, err: "" });
  }
  await serve();
  expect(await readFile(join(data, "token"), "utf8")).toBe(token);
});

test("a signal lets turns end and takes nothing new; a second one hardly waits; the status is 0", async () => {
  const { run, sit, serve } = await sandbox();
  const server = await serve();
  const person = sit(["run", "#read begun\n#hang"]);
  const session = sessionIn(await person.terminal.until(/read begun/));
  server.terminal.stop();
  await server.terminal.until(/Stopping: what runs has 30 s to end/);
  expect(await run(["run", "#say late"])).toMatchObject({ code: 1, err: expect.stringContaining("shutting down") });
  expect((await run(["sessions", "ls"])).out).toContain("working"); // reads go on
  server.terminal.stop();
  expect(await server.ended).toBe(0);
  expect(await person.ended).toBe(1);
  expect(person.terminal.printed.out).toMatch(/■ interrupted after/);
  const again = await run(["run", "--session", session, "#say back"]);
  expect(again.out).toMatch(/■ The last turn was interrupted[\s\S]*\nback\n/);
});
