/** Breaks each rule of `.dependency-cruiser.mjs` once, in a workspace of its own, and allows what must be allowed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { parseAst } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const config = await extractOptions(join(root, ".dependency-cruiser.mjs"));

async function cruised(globs: readonly string[], baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise([...globs], { ...config, validate: true, baseDir });
  return output as ICruiseResult;
}

/** File, what it imports, and the rules this breaks. */
type Case = readonly [file: string, imports: string, ...rules: readonly string[]];
const host = "packages/host/src";
const broken: readonly Case[] = [
  [`${host}/session/io.ts`, "node:fs", "session-is-pure"],
  [`${host}/session/library.ts`, "zod", "session-is-pure"],
  [`${host}/session/upwards.ts`, "../host/processes/supervisor.ts", "session-is-pure"],
  [`${host}/session/parse.ts`, "../protocol/input.schema.ts", "schemas-stay-at-the-edge"],
  [`${host}/protocol/parse.ts`, "./input.schema.ts", "schemas-stay-at-the-edge"],
  [`${host}/protocol/io.ts`, "node:crypto", "protocol-stands-alone"],
  [`${host}/protocol/library.ts`, "zod", "protocol-stands-alone"],
  [`${host}/protocol/upwards.ts`, "../session/pure.ts", "protocol-stands-alone"],
  [`${host}/protocol/other.schema.ts`, "kysely", "schemas-import-zod-only"],
  [`${host}/ports/runs.ts`, "node:fs", "ports-are-interfaces"],
  [`${host}/ports/upwards.ts`, "../host/processes/supervisor.ts", "ports-are-interfaces"],
  [`${host}/host/chooses.ts`, "../stores/sqlite/index.ts", "host-knows-no-store"],
  [`${host}/runtime/deep.ts`, "../host/processes/supervisor.ts", "runtime-is-thin"],
  [`${host}/runtime/chooses.ts`, "../stores/sqlite/index.ts", "runtime-is-thin"],
  [`${host}/stores/upwards.ts`, "../host/processes/supervisor.ts", "stores-know-ports-only"],
  [`${host}/http/behind.ts`, "../host/processes/supervisor.ts", "http-is-thin-over-the-host"],
  [`${host}/http/stores.ts`, "../stores/sqlite/index.ts", "http-is-thin-over-the-host"],
  [`${host}/http/library.ts`, "kysely", "http-is-thin-over-the-host"],
  ["packages/driver-loop/src/host.ts", "@mooring/host", "drivers-see-the-driver-port-only"],
  ["packages/driver-loop/src/store.ts", "@mooring/host/sqlite", "drivers-see-the-driver-port-only"],
  ["packages/driver-loop/src/host.test.ts", "@mooring/host", "driver-tests-use-the-testing-kit"],
  ["packages/scripted-model/src/host.ts", "@mooring/host/driver", "scripted-model-stands-alone"],
  ["packages/web/src/deep.tsx", "@mooring/host/driver", "page-talks-through-the-client"],
  ["packages/cli/src/runs.ts", "@mooring/driver-loop", "one-composition-file"],
  ["packages/cli/src/stores.ts", "@mooring/host/sqlite", "one-composition-file"],
  [`${host}/host/starts.ts`, "node:child_process", "one-door-to-processes"],
  [`${host}/host/pretends.ts`, "../testing/index.ts", "host-knows-no-store", "testing-is-for-tests"],
  [`${host}/stores/pretends.ts`, "./test-store.ts", "testing-is-for-tests"],
  ["packages/cli/src/pretends.ts", "@mooring/host/testing", "one-composition-file", "testing-is-for-tests"],
  ["test/again.test.ts", "./other.test.ts", "no-tests-imported"],
  ["packages/cli/src/compose.test.ts", "../../host/src/index.ts", "other-packages-by-name"],
  [`${host}/stores/cycle-back.ts`, "./cycle.ts", "no-cycles"],
  [`${host}/stores/gone.ts`, "./nowhere.ts", "resolvable"],
  [`${host}/stores/lucky.ts`, "undeclared", "declared"],
  [`${host}/stores/developer.ts`, "ai", "shipped-code-needs-no-dev-dependency"],
];
const allowed: readonly Case[] = [
  [`${host}/index.ts`, "./host/processes/supervisor.ts"],
  [`${host}/session/pure.ts`, "../protocol/input.ts"],
  [`${host}/session/pure.test.ts`, "node:fs"],
  [`${host}/protocol/input.schema.ts`, "zod"],
  [`${host}/ports/index.ts`, "../protocol/input.ts"],
  [`${host}/ports/processes.ts`, "node:stream"],
  [`${host}/host/processes/supervisor.ts`, "../../protocol/input.schema.ts"],
  [`${host}/host/processes/spawn-child.ts`, "node:child_process"],
  [`${host}/runtime/index.ts`, "../index.ts"],
  [`${host}/stores/sqlite/index.ts`, "kysely"],
  [`${host}/http/index.ts`, "zod"],
  [`${host}/stores/cycle.ts`, "./cycle-back.ts"], // a cycle is reported once, on cycle-back.ts
  [`${host}/testing/index.ts`, "../host/processes/supervisor.ts"],
  [`${host}/stores/test-store.ts`, "../host/processes/supervisor.ts"],
  ["packages/driver-loop/src/index.ts", "@mooring/host/driver"],
  ["packages/driver-loop/src/index.test.ts", "@mooring/host/testing"],
  ["packages/web/src/main.tsx", "@mooring/host"],
  ["packages/cli/src/main.ts", "@mooring/host"],
  ["packages/cli/src/compose.ts", "@mooring/host/sqlite"],
];
const leaves = [`${host}/protocol/input.ts`, "test/other.test.ts"];

let workspace: string;
const found = new Map<string, string[]>();

function write(file: string, text: string): void {
  mkdirSync(dirname(join(workspace, file)), { recursive: true });
  writeFileSync(join(workspace, file), text);
}
function writePackage(folder: string, manifest: Readonly<Record<string, unknown>>): void {
  write(`${folder}/package.json`, JSON.stringify({ version: "1.0.0", type: "module", ...manifest }));
}
function writeMember(folder: string, exports: Readonly<Record<string, string>>, more: object = {}): void {
  const targets = Object.entries(exports).map(([path, file]) => [path, { "mooring-source": file }]);
  writePackage(`packages/${folder}`, { name: `@mooring/${folder}`, exports: Object.fromEntries(targets), ...more });
  mkdirSync(join(workspace, "node_modules/@mooring"), { recursive: true });
  symlinkSync(`../../packages/${folder}`, join(workspace, "node_modules/@mooring", folder));
}
function writeWorkspace(): void {
  writePackage(".", { name: "root", private: true, workspaces: ["packages/*"] });
  for (const name of ["zod", "kysely", "ai", "undeclared"]) {
    writePackage(`node_modules/${name}`, { name, main: "./index.js" });
    write(`node_modules/${name}/index.js`, "export {};\n");
  }
  const paths = { driver: "ports", sqlite: "stores/sqlite", testing: "testing" };
  const subpaths = Object.entries(paths).map(([path, folder]) => [`./${path}`, `./src/${folder}/index.ts`]);
  const exports = { ".": "./src/index.ts", ...Object.fromEntries(subpaths) };
  writeMember("host", exports, { dependencies: { zod: "1", kysely: "1" }, devDependencies: { ai: "1" } });
  writeMember("driver-loop", { ".": "./src/index.ts" }, { dependencies: { "@mooring/host": "1" } });
  const members = { "@mooring/host": "1", "@mooring/driver-loop": "1" };
  writeMember("cli", { ".": "./src/main.ts" }, { dependencies: members });
  writeMember("web", { ".": "./src/main.tsx" }, { dependencies: { "@mooring/host": "1" } });
  writeMember("scripted-model", { ".": "./src/index.ts" }, { dependencies: members });
  for (const file of leaves) write(file, "export {};\n");
  for (const [file, imports] of [...allowed, ...broken]) write(file, `import "${imports}";\n`);
}

beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), "mooring-rules-"));
  writeWorkspace();
  const { summary } = await cruised(["packages/*/src/**/*.{ts,tsx}", "test/**/*.ts"], workspace);
  for (const { from, rule } of summary.violations) found.set(from, [...(found.get(from) ?? []), rule.name].toSorted());
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe("what breaks a rule", () => {
  test.each(broken)("%s importing %s", (file, _imports, ...rules) => {
    expect(found.get(file)).toEqual(rules.toSorted());
  });
});

test("nothing else breaks one", () => {
  expect([...found.keys()].toSorted()).toEqual(broken.map(([file]) => file).toSorted());
});

test("every rule was broken", () => {
  const rules = new Set(broken.flatMap(([, , ...names]) => names));
  expect([...rules].toSorted()).toEqual(config.ruleSet?.forbidden?.map((rule) => rule.name).toSorted());
});

/** What a file names in its imports and re-exports, read from the whole syntax tree. */
function importsOf(file: string): readonly string[] {
  const named = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const source: unknown = "source" in node ? node.source : undefined;
    if (typeof source === "object" && source && "value" in source) named.add(String(source.value));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(join(root, file), "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return [...named];
}

const bare = (name: string): string => name.replace(/^node:/, "");

test("the rules see every import of this repository, but for types re-exported by a package's entry", async () => {
  const { modules } = await cruised(["packages/*/src/**/*.{ts,tsx}"], root);
  const sources = modules.filter((module) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(module.source));
  const unseen = sources.flatMap(({ source, dependencies }) => {
    const seen = new Set(dependencies.map((dependency) => bare(dependency.module)));
    return importsOf(source).flatMap((name) => (seen.has(bare(name)) ? [] : [`${source}: ${name}`]));
  });
  expect(sources.length).toBeGreaterThan(100);
  expect(unseen.filter((line) => !/^[^:]*\/index\.ts: \.\.?\/[\w/-]+\.ts$/.test(line))).toEqual([]);
});
