/** The types of the API, made from its description: the text of `generated/api-types.ts`. */
import { join } from "node:path";
import { openApiDocument } from "@mooring/host/http";
import openapiTS, { astToString } from "openapi-typescript";

export const apiTypesFile = join(import.meta.dirname, "..", "generated", "api-types.ts");

const head = `// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
/** The API's types, made from its description by \`npm run generate\` in this package. A test says when they are stale. */
`;

/** What the description has none of, and the generator names all the same. */
const unused = /^export type (webhooks|\$defs) = .*\n/gm;

export async function apiTypes(): Promise<string> {
  // As it is served: what JSON leaves out is not there.
  const document = JSON.stringify(await openApiDocument());
  return head + astToString(await openapiTS(document, { alphabetize: true })).replaceAll(unused, "");
}
