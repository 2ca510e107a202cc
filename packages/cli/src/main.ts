#!/usr/bin/env node
/**
 * The `mooring` command. Node keeps what it compiles for the next start, so everything else is loaded after that is
 * switched on: half of the start-up time of a listing. The process ends by itself, so that all output is written.
 */
import { enableCompileCache } from "node:module";

enableCompileCache();
const { main } = await import("./run-main.ts");
process.exitCode = await main(process.argv.slice(2));
