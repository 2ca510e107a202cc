/**
 * Measures what the host costs on the real Claude Code, whose model is the scripted one: DESIGN section 11's first two
 * lines, and memory. The agent must be there: `npm ci --prefix test/agents`.
 *   npm run bench:agents                   about two minutes
 *   npm run bench:agents -- --json FILE    the lines as JSON too
 *   npm run bench:agents -- --quick        once through everything in seconds; its figures mean nothing
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isWithin } from "../bench.ts";
import { machineNow } from "../machine.ts";
import { tableOf } from "../table.ts";
import { withTempDir } from "../temp-dir.ts";
import { memoryPerSession } from "./memory-per-session.ts";
import { Stage } from "./stage.ts";
import { addedTime, warmth } from "./warm-turns.ts";

const { values } = parseArgs({ options: { json: { type: "string" }, quick: { type: "boolean", default: false } } });
const [rounds, words, count] = values.quick ? [1, 6, 1] : [10, 60, 4];

const before = machineNow();
const lines = await withTempDir(async (directory) => {
  const stage = await Stage.open();
  try {
    const added = await addedTime(stage, { rounds, words, directory });
    const warm = await warmth(stage, { rounds, words, directory });
    return [...added, warm, ...(await memoryPerSession(stage, { directory, count }))];
  } finally {
    await stage.end();
  }
});
console.log(`${tableOf(lines)}\nbefore: ${before}\nafter:  ${machineNow()}`);
if (values.json !== undefined) {
  const told = lines.map((line) => ({ ...line, ok: isWithin(line) }));
  await writeFile(values.json, `${JSON.stringify(told, null, 2)}\n`);
}
