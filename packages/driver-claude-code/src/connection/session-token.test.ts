import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forkToken, placeOf, transcriptOf } from "./session-token.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];

test("a token names a conversation, or where a fork begins", () => {
  expect(placeOf(a)).toEqual({ session: a, fork: null });
  expect(placeOf(forkToken(a, b, c))).toEqual({ session: a, fork: { from: b, anchor: c } });
});

test.each(["", "../../etc/passwd", `${a}/x`, `${a}.fork.${b}`])("%j is none", (token) => {
  expect(() => placeOf(token)).toThrow(expect.objectContaining({ code: "resume-failed" }));
});

test("a transcript is found in any project, unless it is empty", async () => {
  const config = await mkdtemp(join(tmpdir(), "mooring-token-"));
  await mkdir(join(config, "projects", "-some-where"), { recursive: true });
  const found = join(config, "projects", "-some-where", `${a}.jsonl`);
  await writeFile(found, "{}\n");
  await writeFile(join(config, "projects", "-some-where", `${b}.jsonl`), "");
  expect(await Promise.all([a, b, c].map((id) => transcriptOf(config, id)))).toEqual([found, null, null]);
  expect(await transcriptOf(join(config, "nowhere"), a)).toBeNull();
  await rm(config, { recursive: true, force: true });
});
