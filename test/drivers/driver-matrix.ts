/**
 * The page `docs/drivers.md`: every requirement of the driver contract against every driver, from the results their
 * contract tests recorded (`*.contract.json`, one file per driver), and the drivers that break each rule on purpose.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContractResults, type RequirementId, requirements } from "@mooring/host/testing";
import { sabotages } from "../../packages/host/src/testing/contract/fake/sabotages.ts";
import { wireSabotages } from "./wire-sabotages.ts";

const folders = ["packages/*/src", "examples/*", "test/agents"];
/** Columns come in this order; drivers not named here come before the fakes, by name. */
const first = ["loop", "claude-code", "pi"];
const isFake = (name: string): boolean => name.startsWith("fake");

const ids = Object.keys(requirements) as readonly RequirementId[];
const areaOf = (id: string): string => id.slice(0, id.indexOf("/"));

export function driverMatrix(root: string): string {
  const drivers = recorded(root);
  return [
    "# Drivers",
    introduction,
    table(["requirement", "level", ...drivers.map(({ driver }) => driver)], matrixRows(drivers)),
    "## The requirements",
    table(
      ["requirement", "rule"],
      ids.map((id) => [`\`${id}\``, requirements[id].rule]),
    ),
    "## What is not kept, and what is not played",
    table(["driver", "requirement", "why"], drivers.flatMap(remarks)),
    "## Drivers that break the rules",
    breaking,
    table(
      ["a driver that …", "is caught by"],
      ids.map((id) => [{ ...sabotages, ...wireSabotages }[id].what, `\`${id}\``]),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

const introduction = [
  "Which requirement of the driver contract each driver keeps. Written by `scripts/driver-matrix.ts` from the results of",
  "their contract suites; a test says when it is out of date. How to add a column: [writing a driver](writing-a-driver.md).",
  "",
  "✓ kept · – not claimed by its capabilities · ○ its agent has no way to do it · ✗ known not to be kept · ? newer than its",
  "record. `fake`, `fake-native` and `fake-plain` are one scripted agent in process with three sets of capabilities.",
].join("\n");
const breaking = [
  "For every requirement there is a driver that breaks it and nothing else on purpose; the suite fails for each and names",
  "the requirement (`suite.test.ts` of the contract, `test/drivers/wire-sabotages.test.ts`).",
].join("\n");

function recorded(root: string): readonly ContractResults[] {
  const names = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.contract.json`, { cwd: root, exclude: (name) => name === "node_modules" }),
  );
  const all = names.map((name): ContractResults => JSON.parse(readFileSync(join(root, name), "utf8")));
  return all.sort((a, b) => placeOf(a.driver) - placeOf(b.driver) || a.driver.localeCompare(b.driver));
}
function placeOf(driver: string): number {
  if (isFake(driver)) return first.length + 1;
  const at = first.indexOf(driver);
  return at < 0 ? first.length : at;
}

function matrixRows(drivers: readonly ContractResults[]): readonly (readonly string[])[] {
  return ids.flatMap((id, at) => {
    const area = areaOf(id);
    const isFirst = at === 0 || areaOf(ids[at - 1] ?? "") !== area;
    const heading = isFirst ? [[`**${area}**`, "", ...drivers.map(() => "")]] : [];
    const name = id.slice(area.length + 1);
    return [...heading, [name, requirements[id].level, ...drivers.map(({ results }) => sign(results[id]))]];
  });
}
function sign(result: string | undefined): string {
  if (result === "kept") return "✓";
  if (result?.startsWith("broken")) return "✗";
  if (result?.startsWith("not claimed")) return "–";
  return result === undefined ? "?" : "○";
}
function remarks({ driver, results }: ContractResults): readonly (readonly string[])[] {
  return ids.flatMap((id) => {
    const result = results[id] ?? "newer than its record";
    if (result === "kept" || result.startsWith("not claimed")) return [];
    return result === "no process" ? [] : [[driver, `\`${id}\``, result]];
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
