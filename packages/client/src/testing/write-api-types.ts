/** Writes `generated/api-types.ts` anew: `npm run generate --workspace @mooring/client`. */
import { writeFileSync } from "node:fs";
import { apiTypes, apiTypesFile } from "./api-types.ts";

writeFileSync(apiTypesFile, await apiTypes());
