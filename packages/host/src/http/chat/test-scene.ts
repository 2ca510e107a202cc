/** A host with a fake agent and the chat routes over real HTTP; and the routes asked by hand. */
import { expect } from "vitest";
import type { FakeConnection } from "../../testing/fake-connection.ts";
import { Reader, type TestHost, type TestHostOptions, testHost } from "../../testing/test-host.ts";
import type { HttpLimits } from "../limits.ts";
import { authorized, type ChatServer, chatServer } from "./test-chat.ts";

export type Chunk = Readonly<Record<string, unknown>> & { readonly type: string };
type Turn = { readonly agent: FakeConnection; readonly turnId: string };

export class Scene {
  readonly world: TestHost;
  readonly server: ChatServer;

  constructor(world: TestHost, server: ChatServer) {
    this.world = world;
    this.server = server;
  }
  static async open(options: TestHostOptions = {}, limits: Partial<HttpLimits> = {}): Promise<Scene> {
    const world = await testHost(options);
    return new Scene(world, await chatServer(world.host, { clock: world.clock, limits }));
  }
  /** Another host over the same store, and a server of its own. */
  async restart(): Promise<Scene> {
    await this.server.close();
    const host = await this.world.restart();
    return new Scene(this.world, await chatServer(host, { clock: this.world.clock }));
  }
  async end(): Promise<void> {
    await this.server.close();
    await this.world.end();
  }

  async nextTurn(agent?: FakeConnection): Promise<Turn> {
    const connection = agent ?? (await this.world.driver.connections.next());
    return { agent: connection, turnId: (await connection.sends.next()).turnId };
  }
  /** Reads a session's events from the first on. */
  async readerOf(id: string): Promise<Reader> {
    return new Reader(this.world.host, id, (await this.world.host.cursor(id)).replace(/\d+$/, "0"));
  }
  resume(id: string): Promise<Response> {
    return fetch(`${this.server.url}/${id}/stream`, { headers: authorized });
  }
  post(body: unknown, path = ""): Promise<Response> {
    return fetch(`${this.server.url}${path}`, {
      method: "POST",
      headers: { ...authorized, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }
}
export const saying = (id: string, text: string, over: object = {}) => ({
  id: "c",
  trigger: "submit-message",
  messages: [{ id, role: "user", parts: [{ type: "text", text }] }],
  ...over,
});
/** A response's chunks; its last line must be the end's. */
export async function chunksOf(response: Response): Promise<Chunk[]> {
  const lines = (await response.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  expect(lines.pop()).toBe("[DONE]");
  return lines.map((line) => JSON.parse(line) as Chunk);
}
export const typesOf = (chunks: readonly Chunk[]): string[] => chunks.map(({ type }) => type);
