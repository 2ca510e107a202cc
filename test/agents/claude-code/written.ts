/** Waits for a line that another process writes. */
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";

/** Resolves when the file, which is there, has what matches: looked for again each time it changes. */
export async function written(file: string, pattern: RegExp): Promise<void> {
  const found = Promise.withResolvers<void>();
  const look = (): void => {
    readFile(file, "utf8").then((text) => {
      if (pattern.test(text)) found.resolve();
    }, found.reject);
  };
  const watcher = watch(file, look);
  watcher.on("error", found.reject);
  look();
  await found.promise.finally(() => watcher.close());
}
