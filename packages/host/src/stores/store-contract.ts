/** What every store must do, as one suite: run it with a function that opens an empty store. */
import { afterEach, describe } from "vitest";
import { chatRules } from "./contract/chat-rules.ts";
import { copyRules } from "./contract/copy-rules.ts";
import type { OpenedStore, OpenStore } from "./contract/fixtures.ts";
import { journalRules } from "./contract/journal-rules.ts";
import { listingRules } from "./contract/listing-rules.ts";
import { modelRules } from "./contract/model-rules.ts";
import { permissionRules } from "./contract/permission-rules.ts";
import { readingRules } from "./contract/reading-rules.ts";
import { writeRules } from "./contract/write-rules.ts";

export function storeContract(name: string, open: OpenStore): void {
  const opened: OpenedStore[] = [];
  const tracked: OpenStore = async () => {
    const store = await open();
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  describe(name, () => {
    writeRules(tracked);
    journalRules(tracked);
    readingRules(tracked);
    listingRules(tracked);
    copyRules(tracked);
    permissionRules(tracked);
    chatRules(tracked);
    modelRules(tracked);
  });
}
