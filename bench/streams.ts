/** Sessions whose turns run until the end of the bench, and whose agents say what the bench tells them to. */
import type { FakeConnection } from "@mooring/host/testing";
import type { BenchHost } from "./bench-host.ts";

export type Stream = { readonly sessionId: string; say(delta: string): void };

/** Parts the deltas alternate between: two deltas in a row are never merged into one event. */
const partIds = ["a", "b"] as const;

/** One by one: they are told apart by the order in which they connect. */
export async function openStreams({ host, driver }: BenchHost, count: number): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await host.create({});
    await host.submit(id, { text: "Write." });
    const connection = await driver.connections.next();
    const { turnId } = await connection.sends.next();
    streams.push({ sessionId: id, say: speaker(connection, turnId) });
  }
  return streams;
}

function speaker(connection: FakeConnection, turnId: string): (delta: string) => void {
  for (const id of partIds) connection.chunk(turnId, { type: "text-start", id });
  let said = 0;
  return (delta) => connection.chunk(turnId, { type: "text-delta", id: partIds[said++ % 2] ?? "a", delta });
}

/** Text of 10 to 90 characters: what a model streams in one piece, 220 to 300 bytes as an event. */
const texts = Array.from({ length: 9 }, (_, n) => "about ten ".repeat(n + 1));
export const textOf = (n: number): string => texts[n % texts.length] ?? "";
