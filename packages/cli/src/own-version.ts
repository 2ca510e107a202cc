/** The version of this package, as its manifest has it. */
import { readFileSync } from "node:fs";

export function ownVersion(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown";
}
