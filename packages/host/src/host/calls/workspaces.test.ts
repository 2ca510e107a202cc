import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workspaces } from "./workspaces.ts";

let root = "";
let workspaces: Workspaces;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "mooring-workspaces-")));
  await mkdir(join(root, "projects", "one"), { recursive: true });
  await mkdir(join(root, "elsewhere"));
  await writeFile(join(root, "projects", "file"), "");
  await symlink(join(root, "elsewhere"), join(root, "projects", "escape"));
  await symlink(join(root, "projects"), join(root, "alias"));
  workspaces = new Workspaces(join(root, "data"), [join(root, "alias")]);
});
afterAll(() => rm(root, { recursive: true }));

test("a managed workspace exists before anything else and is the owner's only", async () => {
  const made = await workspaces.make("ses_1");
  expect(made).toEqual({ path: join(root, "data", "workspaces", "ses_1"), managed: true });
  expect((await stat(made.path)).mode & 0o777).toBe(0o700);
  expect(await workspaces.named(made.path)).toEqual({ path: made.path, managed: false });
});

test("a named one is stored with its links resolved, and a root may be a link", async () => {
  const one = join(root, "projects", "one");
  expect(await workspaces.named(join(root, "alias", "one"))).toEqual({ path: one, managed: false });
  expect(await workspaces.named(one)).toEqual({ path: one, managed: false });
});

test.each(["projects/missing", "projects/file", "projects/escape", "elsewhere", "projects/one/../../elsewhere"])(
  "%s is refused with what to do",
  async (path) => {
    await expect(workspaces.named(`${root}/${path}`)).rejects.toMatchObject({ code: "bad-workspace" });
  },
);

test.each([".", "homes", "homes/agt_1", "files", "workspaces"])(
  "%s of the data directory is nobody's workspace, under whatever root it lies",
  async (path) => {
    const data = join(root, "projects", "own");
    const all = new Workspaces(data, [root, data]);
    const { path: made } = await all.make("ses_1");
    await mkdir(join(data, path), { recursive: true });
    await expect(all.named(join(data, path))).rejects.toMatchObject({
      code: "bad-workspace",
      message: expect.stringMatching(/belongs to Mooring itself.*Name another/),
    });
    expect(await all.named(made)).toEqual({ path: made, managed: false });
    expect((await all.directories(join(root, "projects"))).directories.map(({ name }) => name)).not.toContain("own");
  },
);
