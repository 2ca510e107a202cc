/** The part of a child that is killed: it sets the scene, does what its phase needs, and then waits for its end. */
import { systemClock } from "../../../../packages/host/src/host/system-clock.ts";
import { say } from "../line.ts";
import type { Order } from "../order.ts";
import { type Client, follow } from "./client.ts";
import { migrations } from "./migration.ts";
import { addSession, hostOn, openHost, openStore } from "./open-host.ts";
import { scenarios } from "./scenarios.ts";
import { writeOldJournals } from "./write-old-journals.ts";

const dayMs = 86_400_000;

export async function run(order: Order): Promise<void> {
  if (order.phase === "migration") return runMigration(order);
  if (order.phase === "fold") return runFold(order);
  const host = await openHost(order);
  await addSession(host, order);
  const client = await follow(host);
  await scenarios[order.phase](client);
}

/** A conversation, a proper end, and a start with a newer schema. */
async function runMigration(order: Order): Promise<void> {
  const host = await openHost(order);
  await addSession(host, order);
  await converse(await follow(host));
  await host.shutdown();
  await openStore(order, { migrations });
  say({ say: "migrated" });
}

async function converse(client: Client): Promise<void> {
  await client.submit("inp_before", "#bash echo side_before >> side.log\n#say so far");
  await client.ended("inp_before");
}

/** Yesterday's conversation is folded while today's goes on. */
async function runFold(order: Order): Promise<void> {
  const yesterday = { ...systemClock, now: () => Date.now() - dayMs };
  const before = await openHost(order, { clock: yesterday });
  await addSession(before, order);
  await converse(await follow(before));
  await before.shutdown();
  const store = await openStore(order);
  await writeOldJournals(store, yesterday.now(), order.workspace);
  const host = await hostOn(order, store, { foldEveryMs: 30 });
  const client = await follow(host);
  await client.submit("inp_now", "#slow 3 one two three four five six seven eight nine ten eleven twelve");
}
