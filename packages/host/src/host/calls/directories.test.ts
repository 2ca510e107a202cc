import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { directoriesIn } from "./directories.ts";
import { Workspaces } from "./workspaces.ts";

let root = "";
let workspaces: Workspaces;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "mooring-directories-")));
  for (const path of ["home/b", "home/a/deep", "home/.hidden", "elsewhere/secret", "data/workspaces/ses_1", "other"])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, "home", "file"), "");
  await symlink(join(root, "elsewhere"), join(root, "home", "escape"));
  await symlink(join(root, "home", "a"), join(root, "home", "inner"));
  await symlink(join(root, "nowhere"), join(root, "home", "dangling"));
  await symlink(join(root, "home", "file"), join(root, "home", "to-file"));
  await symlink(join(root, "home"), join(root, "alias"));
  workspaces = new Workspaces(join(root, "data"), [join(root, "alias"), join(root, "other"), join(root, "missing")]);
});
afterAll(() => rm(root, { recursive: true }));

test("without a path: the roots that exist, with their links resolved", async () => {
  expect(await workspaces.directories()).toEqual({
    path: null,
    directories: [
      { name: "workspaces", path: join(root, "data", "workspaces") },
      { name: "home", path: join(root, "home") },
      { name: "other", path: join(root, "other") },
    ],
    more: false,
  });
});

test("inside a root: directories by name, links only to where a session may work", async () => {
  const inside = {
    path: join(root, "home"),
    directories: [
      { name: ".hidden", path: join(root, "home", ".hidden") },
      { name: "a", path: join(root, "home", "a") },
      { name: "b", path: join(root, "home", "b") },
      { name: "inner", path: join(root, "home", "a") },
    ],
    more: false,
  };
  expect(await workspaces.directories(join(root, "alias"))).toEqual(inside);
  expect(await workspaces.directories(join(root, "home"))).toEqual(inside);
  expect((await workspaces.directories(join(root, "home", "inner"))).directories).toEqual([
    { name: "deep", path: join(root, "home", "a", "deep") },
  ]);
});

test.each([
  "elsewhere",
  "home/escape",
  "home/escape/secret",
  "home/a/../../elsewhere",
  "",
  "home/file",
  "home/nothing",
])("%s is refused", async (path) => {
  await expect(workspaces.directories(`${root}/${path}`)).rejects.toMatchObject({ code: "bad-workspace" });
});

test("a listing is bounded in what it gives and in what it looks at", async () => {
  const many = join(root, "many");
  for (let i = 0; i < 20; i++) await mkdir(join(many, `d${String(i).padStart(2, "0")}`), { recursive: true });
  const all = () => true;
  const names = async (most: number, looked: number) => {
    const { directories, more } = await directoriesIn(many, { most, looked }, all);
    return [directories.length, more];
  };
  expect(await names(20, 20)).toEqual([20, false]);
  expect(await names(5, 20)).toEqual([5, true]);
  expect((await directoriesIn(many, { most: 2, looked: 20 }, all)).directories[1]?.name).toBe("d01");
  expect(await names(20, 7)).toEqual([7, true]);
});
