import { expect, test } from "vitest";
import { hardDeny, holdsHostData } from "./hard-denies.ts";
import type { JudgedCall, Place } from "./subject.ts";

const place: Place = { workspace: "/w/repo", home: "/data/m/homes/a", dataDir: "/data/m", userHome: "/home/me" };
const managed: Place = { ...place, workspace: "/data/m/workspaces/s" };
const around: Place = { ...place, workspace: "/data" };
/** Workspaces that no session has any more, unless an older host made it. */
const itself: Place = { ...place, workspace: "/data/m" };
const homes: Place = { ...place, workspace: "/data/m/homes" };
const ofAll: Place = { ...place, workspace: "/data/m/workspaces" };
const file = (category: JudgedCall["category"], real: string): JudgedCall => ({
  toolName: "tool",
  category,
  input: {},
  paths: [{ given: real, real }],
  needsPerson: false,
});
const bash = (command: string): JudgedCall => ({
  toolName: "bash",
  category: "shell",
  input: { command },
  paths: [],
  needsPerson: false,
});

test.each<[JudgedCall["category"], string, Place]>([
  ["read", "/data/m/secrets.json", place],
  ["read", "/data/m/mooring.db", around],
  ["write", "/data/m/homes/a/settings.json", place],
  ["write", "/data/m/homes/a/settings.json", around],
  ["other", "/data/m/homes/a/x", place],
  ["read", "/data/m/homes/other/x", place],
  ["read", "/data/m/workspaces/other/x", managed],
  ["write", "/data/m/mooring.db", itself],
  ["read", "/data/m/token", itself],
  ["write", "/data/m/homes/a/x", homes],
  ["read", "/data/m/homes/other/x", homes],
  ["write", "/data/m/workspaces/s/x", ofAll],
  ["write", "/w/repo/.git/hooks/pre-commit", place],
  ["write", "/w/repo/.git/config", place],
  ["write", "/w/repo/.git", place],
  ["write", "/w/repo/sub/.GIT/config", place],
  ["write", "/w/repo/.g\u200cit/config", place],
])("a tool that does %s never touches %s", (category, path, where) => {
  expect(hardDeny(file(category, path), where)).toEqual(expect.any(String));
});
test.each<[JudgedCall["category"], string, Place]>([
  ["read", "/w/repo/.git/config", place],
  ["write", "/w/repo/.gitignore", place],
  ["write", "/w/repo/.github/x", place],
  ["write", "/w/repo/src/a", place],
  ["read", "/data/m/homes/a/settings.json", place],
  ["write", "/data/m/workspaces/s/a", managed],
  ["write", "/data/other", around],
])("a tool that does %s may touch %s", (category, path, where) => {
  expect(hardDeny(file(category, path), where)).toBeNull();
});

test.each([
  "rm -rf /",
  "rm -fr /",
  "rm -r -f /",
  "rm --recursive /",
  "rm -rf -- /",
  "rm -rf /*",
  "rm -rf //",
  "rm -rf /.",
  "rm -rf /etc",
  "rm -rf /usr/",
  "rm -rf ~",
  "rm -rf ~/",
  "rm -rf ~/*",
  "rm -rf $HOME",
  'rm -rf "$HOME"',
  "rm -rf \u0024{HOME}/",
  "rm -rf ~root",
  "rm -rf /home/me",
  "rm -rf /home",
  "rm -rf ../..",
  "rm -rf /srv",
  "sudo rm -rf /",
  "true && rm -rf /",
  "bash -c 'rm -rf /'",
  "rm --no-preserve-root x",
  "find / -delete",
  "find ~ -exec rm {} +",
  "mkfs.ext4 /dev/sda1",
  "dd if=/dev/zero of=/dev/sda",
  "echo x > /dev/nvme0n1",
  "cat /data/m/secrets.json",
  "cat ~/../../secrets.json",
  "cat $HOME/../../secrets.json",
  "cp --target-directory=/data/m x",
  "tar czf - /data/m/homes/other",
  "echo x > /data/m/x",
  "echo x > .git/hooks/pre-commit",
  "cp x .git/hooks/pre-commit",
  "chmod +x ./sub/.git/hooks/post-merge",
  "ln -s x .git/modules/m/hooks/pre-push",
])("never: %s", (command) => {
  expect(hardDeny(bash(command), place)).toEqual(expect.any(String));
});
test.each([
  "rm -rf node_modules",
  "rm -rf ./build/*",
  "rm -rf .",
  "rm -rf /w/repo/dist",
  "rm -rf /tmp/x",
  "rm /srv/x",
  "echo rm -rf /",
  "find . -name x -delete",
  "ls .git/hooks",
  "cat .git/hooks/pre-commit",
  "git status",
  "cat /etc/hosts",
  "dd if=a of=b",
  "ls -la ~ > out",
  "make 2> /dev/null",
  "npm run build -- --out=/w/repo/dist",
])("not never: %s", (command) => {
  expect(hardDeny(bash(command), place)).toBeNull();
});

test("a directory that holds the host's data", () => {
  expect(holdsHostData(file("read", "/data"), around)).toBe(true);
  expect(holdsHostData(file("read", "/data/x"), around)).toBe(false);
  expect(holdsHostData(file("read", "/w/repo"), place)).toBe(false);
  expect(holdsHostData(file("read", "/data"), managed)).toBe(false);
});
