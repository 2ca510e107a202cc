/**
 * Sizes of the functions and files that ship, against the bounds of DESIGN section 3: 90 % of the functions within 30
 * lines, none over 70 but the one `transition`, no file over 500. Exits 1 when one is broken.
 */
import { globSync, readFileSync } from "node:fs";
import { parseAst } from "vite";
import { root } from "./workspace.ts";

const bounds = { p90FunctionLines: 30, functionLines: 70, fileLines: 500, exempt: "transition" } as const;

type Size = { readonly lines: number; readonly where: string; readonly name: string };
/** A node of the syntax tree, of which only its place, its kind and its children matter here. */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const isFunction = (node: Node): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) && isNode(node["body"]);

function nameOf(node: Node, parent: Node | undefined): string {
  for (const candidate of [node["id"], parent?.["key"], parent?.["id"]]) {
    if (isNode(candidate) && typeof candidate["name"] === "string") return candidate["name"];
  }
  return "(anonymous)";
}

/** Visits every function below `node`; a method counts from its name on. */
function visitFunctions(node: Node, parent: Node | undefined, found: (from: Node, name: string) => void): void {
  if (isFunction(node)) found(parent?.type === "MethodDefinition" ? parent : node, nameOf(node, parent));
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) visitFunctions(child, node, found);
  }
}

const linesOf = (text: string): number => text.split("\n").length;

function functionsOf(file: string, text: string): readonly Size[] {
  const sizes: Size[] = [];
  visitFunctions(
    parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node,
    undefined,
    (from, name) => {
      const where = `${file}:${linesOf(text.slice(0, from.start))}`;
      sizes.push({ lines: linesOf(text.slice(from.start, from.end)), where, name });
    },
  );
  return sizes;
}

function quantile(sizes: readonly Size[], share: number): number {
  const sorted = sizes.map((size) => size.lines).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(what: string, sizes: readonly Size[]): void {
  const [median, p90, max] = [0.5, 0.9, 1].map((share) => quantile(sizes, share));
  console.log(`${what}: ${sizes.length}, lines median ${median}, p90 ${p90}, max ${max}`);
}

const tests = /\.test\.ts$|\/(contract|children|generated)\/|-contract\.ts$|\/test-[^/]+\.ts$/;
const names = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter((name) => !tests.test(name));
const texts = names.sort().map((name) => [name, readFileSync(`${root}/${name}`, "utf8")] as const);
const files = texts.map(([name, text]): Size => ({ lines: linesOf(text.trimEnd()), where: name, name }));
const functions = texts.flatMap(([name, text]) => functionsOf(name, text));
report("files", files);
report("functions", functions);

const long = functions.filter((size) => size.lines > bounds.functionLines);
const exempt = long.filter((size) => size.name === bounds.exempt);
const broken = [
  ...long.filter((size) => size.name !== bounds.exempt || exempt.length > 1),
  ...files.filter((size) => size.lines > bounds.fileLines),
];
for (const { where, name, lines } of [...exempt, ...broken]) console.log(`${where} ${name}: ${lines} lines`);
const p90 = quantile(functions, 0.9);
if (p90 > bounds.p90FunctionLines) console.log(`90 % of the functions must be within ${bounds.p90FunctionLines} lines`);
if (broken.length > 0 || p90 > bounds.p90FunctionLines) process.exitCode = 1;
