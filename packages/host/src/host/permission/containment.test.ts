import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInside, realPathOf, resolveLinks } from "./containment.ts";

let root = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "mooring-containment-")));
  await mkdir(join(root, "in", "deep"), { recursive: true });
  await mkdir(join(root, "out"));
  await writeFile(join(root, "out", "secret"), "");
  await symlink(join(root, "out"), join(root, "in", "link"));
  await symlink(join(root, "out", "not-yet"), join(root, "in", "dangling"));
  await symlink(join(root, "in", "loop"), join(root, "in", "loop"));
});
afterAll(() => rm(root, { recursive: true }));
const contains = async (directory: string, path: string): Promise<boolean> => {
  const real = await realPathOf(path);
  return real !== null && isInside(real, await resolveLinks(directory));
};

test("a directory holds itself and what is below it, not its neighbours", () => {
  expect(isInside("/a/b", "/a/b")).toBe(true);
  expect(isInside("/a/b/c", "/a/b")).toBe(true);
  expect(isInside("/a/bc", "/a/b")).toBe(false);
  expect(isInside("/a", "/a/b")).toBe(false);
  expect(isInside("/a/b/..c", "/a/b")).toBe(true);
});

test.each([
  ["a file that exists", "in/deep", true],
  ["a file that does not exist yet", "in/deep/new/file", true],
  ["a way out by dots", "in/../out/secret", false],
  ["a file through a linked directory", "in/link/secret", false],
  ["a new file through a linked directory", "in/link/new", false],
  ["a link to what does not exist yet", "in/dangling", false],
  ["a link to itself", "in/loop", false],
])("%s", async (_, path, inside) => {
  const full = `${root}/${path}`; // not normalized
  expect(await contains(join(root, "in"), full)).toBe(inside);
});

test("a relative path is outside: nobody knows from where", async () => {
  expect(await realPathOf("in/deep")).toBeNull();
});

test("a root that is a link itself is resolved", async () => {
  expect(await contains(join(root, "in", "link"), join(root, "out", "secret"))).toBe(true);
  expect(await resolveLinks(join(root, "in", "dangling"))).toBe(join(root, "out", "not-yet"));
});
