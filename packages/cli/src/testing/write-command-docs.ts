/** Writes `docs/command.md` anew: `npm run docs --workspace @mooring/cli`. */
import { writeFileSync } from "node:fs";
import { commandDocs, commandDocsFile } from "./command-docs.ts";

writeFileSync(commandDocsFile, commandDocs());
