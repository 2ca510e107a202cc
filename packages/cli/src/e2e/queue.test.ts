/** Inputs that wait and sessions that are put away: commands over what earlier commands left. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, sessionIn } from "../testing/json-lines.ts";
import { type Sandbox, sandbox } from "../testing/sandbox.ts";

type Input = { readonly id: string; readonly state: string; readonly reason: string | null };
const ctrlC = "\u0003";

/** A session with two inputs that were typed while a turn ran, which then was stopped. */
async function stopped({ startOnTerminal, pipe }: Sandbox): Promise<string> {
  pipe("gate");
  const mooring = startOnTerminal(["run", "--mode", "bypassPermissions", "#bash cat gate"]);
  await mooring.until(/bash cat gate/);
  mooring.write("#say one\n");
  await mooring.until(/given to the running turn/);
  mooring.write("#say two\n");
  await mooring.until(/given to[\s\S]*given to/);
  mooring.write(ctrlC);
  return sessionIn((await mooring.ended).out);
}
const listed = async ({ run }: Sandbox): Promise<readonly Input[]> =>
  JSON.parse((await run(["queue", "ls", "--json"])).out) as readonly Input[];

test("what was typed and not answered is held, shown, changed, and runs when it is released", async () => {
  const place = await sandbox();
  const session = await stopped(place);
  const held = await listed(place);
  expect(held.map(({ state, reason }) => [state, reason])).toEqual([
    ["held", "stopped"],
    ["held", "stopped"],
  ]);
  const [one = "", two = ""] = held.map(({ id }) => id);
  expect((await place.run(["queue", "ls", session])).out).toMatch(/held \(stopped\) +now +#say one\n/);
  expect((await place.run(["queue", "edit", session, one, "#say changed"])).code).toBe(0);
  expect((await place.run(["queue", "move", session, one])).code).toBe(0);
  expect((await listed(place)).map(({ id }) => id)).toEqual([two, one]);
  expect((await place.run(["sessions", "ls"])).out).toContain("input waits");
  const first = await place.run(["queue", "release", session, one]);
  expect([first.code, first.out.includes("changed\n"), first.out.includes("two\n")]).toEqual([0, true, false]);
  expect((await place.run(["queue", "rm", session, two])).code).toBe(0);
  expect((await place.run(["queue", "ls"])).out).toBe("No input waits.\n");
});

test("a later prompt runs at once and names what is held; releasing all runs the rest in order", async () => {
  const place = await sandbox();
  const session = await stopped(place);
  const next = await place.run(["run", "--session", session, "#say first of all"]);
  expect(next.code).toBe(0);
  expect(next.out).toMatch(/‖ held \(stopped\): #say one inp_[\s\S]*‖ held \(stopped\): #say two/);
  expect(next.out).toContain(`mooring queue release ${session}`);
  const rest = await place.run(["queue", "release", session, "--json"]);
  const outcomes = jsonLines(rest.out).filter(({ type }) => type === "turn.settled");
  expect([rest.code, outcomes.map(({ outcome }) => outcome)]).toEqual([0, ["completed", "completed"]]);
  const shown = (await place.run(["sessions", "show", session])).out;
  expect(shown).toMatch(/first of all\n[\s\S]*\none\n[\s\S]*\ntwo\n/);
});

test("a removed session is out of sight", async () => {
  const { run } = await sandbox();
  const session = sessionIn((await run(["run", "#say gone"])).out);
  expect(await run(["sessions", "rm", session])).toMatchObject({
    code: 0,
    out: expect.stringContaining("ten minutes"),
  });
  expect((await run(["sessions", "ls"])).out).toBe("There are no sessions yet.\n");
  expect(await run(["sessions", "show", session])).toMatchObject({
    code: 1,
    err: expect.stringContaining("no session"),
  });
});

test("a backup is a data directory for its owner that opens as one, and nothing is overwritten", async () => {
  const { run, work } = await sandbox();
  await run(["run", "#say keep this"]);
  const copy = join(work, "copy");
  expect(await run(["backup", "copy"])).toMatchObject({ code: 0, out: expect.stringContaining(copy) });
  expect((await stat(copy)).mode & 0o077).toBe(0);
  expect(await run(["backup", "copy"])).toMatchObject({ code: 2, err: expect.stringContaining("exists already") });
  expect(await run(["sessions", "ls"], { env: { MOORING_HOME: copy } })).toMatchObject({
    out: expect.stringContaining("idle"),
  });
});
