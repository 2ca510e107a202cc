/** `mooring rpc` as another program sees it: lines in, lines out, an exit in order. */
import { expect, test } from "vitest";
import { sandbox } from "../testing/sandbox.ts";

type Line = Readonly<Record<string, unknown>>;
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("commands are answered, a null line too; the end of the input settles what runs, and the status is 0", async () => {
  const { run } = await sandbox();
  const input = [
    "null",
    '{"id":"1","type":"prompt","message":"#bash sleep 60"}',
    '{"id":"2","type":"get_state"}',
    "",
  ].join("\n");
  const { out, code, err } = await run(["rpc", "--agent", "demo"], { input });
  const lines = linesOf(out);
  expect([code, err]).toEqual([0, ""]);
  const answers = lines
    .filter(({ type }) => type === "response")
    .map(({ id, command, success }) => [id, command, success]);
  expect(answers).toContainEqual([undefined, "parse", false]);
  expect(answers).toContainEqual(["2", "get_state", true]);
  expect(answers.find(([id]) => id === "1")?.[1]).toBe("prompt");
});

test("a prompt is played, its session is the data directory's, and a signal ends it with 143", async () => {
  const { start, run } = await sandbox();
  const running = start(["rpc", "--agent", "demo"]);
  running.write('{"id":"1","type":"prompt","message":"#say hello"}\n');
  await running.until(/"type":"agent_settled"/);
  running.write('{"id":"2","type":"get_last_assistant_text"}\n');
  await running.until(/"text":"hello"/);
  expect(await running.kill("SIGTERM")).toMatchObject({ code: 143 });
  expect((await run(["sessions", "ls"])).out).toMatch(/ses_|hello|#say/);
});

test("beside a server it says who has the sessions and what to do, and touches nothing", async () => {
  const { run, serve } = await sandbox();
  const { url } = await serve();
  const { out, err, code } = await run(["rpc", "--agent", "demo"], { input: '{"id":"1","type":"get_state"}\n' });
  expect([out, code]).toEqual(["", 2]);
  expect(err).toContain(`pid ${process.pid}, ${url}`);
  expect(err).toContain("mooring run --json");
  const own = { MOORING_HOME: "beside" };
  const beside = await run(["rpc", "--agent", "demo"], { input: '{"id":"1","type":"get_state"}\n', env: own });
  expect([linesOf(beside.out).some(({ id }) => id === "1"), beside.code]).toEqual([true, 0]);
});
