/** Sessions that go on for as long as they are driven: turns of some pieces each, one after the other. */
import type { FakeConnection } from "@mooring/host/testing";
import type { BenchHost } from "./bench-host.ts";
import { stampOf } from "./load-readers.ts";
import { textOf } from "./streams.ts";

/** Parts the pieces alternate between: two in a row are never merged into one event. */
const partIds = ["a", "b"] as const;

export class LoadSession {
  readonly id: string;
  readonly #host: BenchHost["host"];
  readonly #agent: FakeConnection;
  readonly #piecesOfTurn: number;
  #turn: string;
  #said = 0;
  /** Pieces that found no turn open. */
  missed = 0;
  #isOpen = true;

  private constructor(bench: BenchHost, id: string, agent: FakeConnection, turn: string, piecesOfTurn: number) {
    this.#host = bench.host;
    this.#piecesOfTurn = piecesOfTurn;
    this.id = id;
    this.#agent = agent;
    this.#turn = turn;
    this.#begin();
  }
  /** One by one: they are told apart by the order in which they connect. */
  static async open(bench: BenchHost, piecesOfTurn: number): Promise<LoadSession> {
    const { id } = await bench.host.create({});
    await bench.host.submit(id, { text: "Write." });
    const agent = await bench.driver.connections.next();
    return new LoadSession(bench, id, agent, (await agent.sends.next()).turnId, piecesOfTurn);
  }

  /** One piece; false when none was said. */
  say(n: number): boolean {
    if (!this.#isOpen) {
      this.missed++;
      return false;
    }
    const id = partIds[this.#said % 2] ?? "a";
    this.#agent.chunk(this.#turn, { type: "text-delta", id, delta: `${stampOf()} ${textOf(n)}` });
    if (++this.#said % this.#piecesOfTurn === 0) this.#next().catch(this.#failed);
    return true;
  }
  #begin(): void {
    for (const id of partIds) this.#agent.chunk(this.#turn, { type: "text-start", id });
    this.#isOpen = true;
  }
  async #next(): Promise<void> {
    this.#isOpen = false;
    this.#agent.complete(this.#turn);
    await this.#host.submit(this.id, { text: "Go on." });
    this.#turn = (await this.#agent.sends.next()).turnId;
    this.#begin();
  }
  readonly #failed = (cause: unknown): void => {
    console.error("a session stopped", cause);
    process.exitCode = 1;
  };
}
