import { join } from "node:path";
import { storeContract } from "../store-contract.ts";
import { openTestStore, tempDir } from "./test-store.ts";

storeContract("the SQLite store", () => openTestStore({ path: join(tempDir(), "a.db") }));
