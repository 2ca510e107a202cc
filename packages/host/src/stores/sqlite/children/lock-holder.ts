/** A process that locks a data directory, says `locked`, and keeps it until it is killed. Argument: the directory. */
import { writeSync } from "node:fs";
import { lockDataDir } from "../lock-data-dir.ts";

const [dataDir = ""] = process.argv.slice(2);
lockDataDir(dataDir, { command: "mooring serve" });
setInterval(() => undefined, 60_000);
writeSync(1, "locked\n");
