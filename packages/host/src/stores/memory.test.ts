import { countingIds } from "../testing/counting-ids.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { createMemoryStore } from "./memory.ts";
import { storeContract } from "./store-contract.ts";

storeContract("the memory store", async () => createMemoryStore({ ids: countingIds(), clock: new VirtualClock() }));
