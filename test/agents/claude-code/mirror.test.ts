/** A session goes on when the configuration directory with its transcript is gone, from the copy in the data directory. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Desk, DeskSetup } from "./desk.ts";
import { oneDesk, realTest as test } from "./real-test.ts";

const place = oneDesk();
const mirrored: DeskSetup = { options: { mirror: true } };
const history: DeskSetup["history"] = async () => [
  { kind: "message", message: { id: "m", role: "assistant", parts: [{ type: "text", text: "said" }] } },
];
const loseAll = (desk: Desk): Promise<void> => rm(join(desk.home, "claude"), { recursive: true, force: true });

test("with all it was told and did, also before copies were asked for, again and again", async () => {
  const { desk } = place;
  let resumeToken: string | null = null;
  for (const word of ["one", "two", "three"]) {
    const isBefore = word === "one"; // it was asked for
    const link = await desk.connect({ ...(isBefore ? {} : mirrored), history, resumeToken });
    expect(await link.turn(`#bash echo marker-${word}\n#say done`)).toMatchObject({ outcome: "completed" });
    expect(link.all("notice")).toEqual([]);
    resumeToken = link.token;
    await link.connection.close("idle");
    if (!isBefore) await loseAll(desk);
  }
  for (const word of ["one", "two", "three"]) expect(desk.lastRequest).toContain(`marker-${word}`);
  await expect(desk.connect({ history, resumeToken })).rejects.toMatchObject({ code: "resume-failed" });
});

test("a fork of it too", async () => {
  const { desk } = place;
  const link = await desk.connect(mirrored);
  const end = await link.turn("#say marker-kept");
  await link.turn("#say marker-later");
  await link.connection.close("idle");
  await loseAll(desk);
  const { session } = desk.input({ ...mirrored, resumeToken: link.token });
  const anchor = end.type === "turn-complete" ? (end.anchor ?? "") : "";
  const forked = await desk.driver.fork?.({ session, token: link.token ?? "", anchor, home: desk.home });
  const branch = await desk.connect({ ...mirrored, history, resumeToken: forked?.token ?? null });
  await branch.turn("#say beside");
  await branch.connection.close("idle");
  await loseAll(desk);
  const again = await desk.connect({ ...mirrored, history, resumeToken: branch.token });
  await again.turn("#say and on");
  for (const said of ["marker-kept", "beside", "and on"]) expect(desk.lastRequest).toContain(said);
  expect(desk.lastRequest).not.toContain("marker-later");
});
