/**
 * The part that starts after the kill. It waits for its parent once the host has recovered, so that the parent sees what
 * recovery left; then it does what a person would: answers, frees what is held, goes on, and shuts down properly.
 */
import { once } from "node:events";
import type { SessionHost } from "@mooring/host";
import { say } from "../line.ts";
import { type Order, sessionName } from "../order.ts";
import { type Client, follow } from "./client.ts";
import { migrations } from "./migration.ts";
import { openHost } from "./open-host.ts";

/** Milliseconds: soon, so that what is left of a fold is done before the end. */
const foldEveryMs = 50;

export async function recover(order: Order): Promise<void> {
  const host = await openHost(order, order.phase === "migration" ? { migrations } : { foldEveryMs });
  await once(process.stdin, "data");
  const over = new AbortController();
  const client = await follow(host, over.signal);
  await allowAll(host, client);
  await client.submit("inp_after", "#say after the restart");
  await client.ended("inp_after");
  await releaseAll(host, client);
  over.abort();
  await host.shutdown();
  say({ say: "done" });
  process.exit(0);
}

async function allowAll(host: SessionHost, client: Client): Promise<void> {
  for (const { id, turnId } of await host.approvals({ open: true })) {
    await host.answer(id, { decision: "allow" });
    say({ say: "allowed", approvalId: id });
    await client.until((event) => event.type === "turn.settled" && event.turnId === turnId);
  }
}

async function releaseAll(host: SessionHost, client: Client): Promise<void> {
  const inputs = host.inputs(sessionName);
  for (const { id, state } of await inputs.list()) {
    if (state === "held") {
      say({ say: "released", inputId: id });
      await inputs.release(id);
    }
    await client.ended(id);
  }
}
