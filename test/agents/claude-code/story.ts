/**
 * The acts of the long story. Each input carries a marker of its own, and each tool leaves a line of its own in
 * `side.log`. Every wait is for something that happens: an event, the end of a pipe, a line that is written.
 */
import { strictEqual } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MooringClient } from "@mooring/client";
import type { StoredMessage } from "@mooring/host";
import type { Part } from "@mooring/host/driver";
import { NamedPipe } from "@mooring/host/testing";
import { type ScriptedServer, startScriptedServer } from "@mooring/scripted-model/server";
import type { Reader } from "../../../packages/host/src/testing/test-host.ts";
import { followed, Served, type ServedSession } from "./served.ts";
import { written } from "./written.ts";

const markers = /mark-\d\d/g;
const traceOf = /echo ([a-z]+-\d\d) >> side\.log/;
/** What the person asked a compaction to keep is no input. */
const wishes = /<command-args>.*?<\/command-args>/g;

export class Story {
  /** The markers of the inputs, in the order in which they were said. */
  readonly said: string[] = [];
  /** What each tool that was begun leaves behind, in their order. */
  readonly tools: string[] = [];
  readonly outcomes: string[] = [];
  readonly #model: ScriptedServer;
  readonly #served: Served;
  readonly #session: ServedSession;
  readonly #readers: Reader[] = [];
  #client: MooringClient;
  #reader: Reader;
  #pipes = 0;
  /** Turns whose end the newest reader has seen, and was asked for. */
  #ends = 0;

  private constructor(model: ScriptedServer, served: Served, session: ServedSession) {
    this.#model = model;
    this.#served = served;
    this.#session = session;
    this.#client = served.client();
    this.#reader = this.#follow(null);
  }
  #follow(after: string | null): Reader {
    const reader = followed(this.#client, this.#session.id, after);
    this.#readers.push(reader);
    return reader;
  }

  static async open(): Promise<Story> {
    const [model, served] = [await startScriptedServer(), await Served.open()];
    await served.start();
    const rules = [{ effect: "ask", tool: "Bash", pattern: "*asked*" }] as const;
    const session = await served.session(model.url, { permissionMode: "bypassPermissions", rules });
    return new Story(model, served, session);
  }

  // --- what a person does -------------------------------------------------------------------------------------------

  async say(): Promise<void> {
    await this.#submit(`#say heard ${this.#mark()}`);
    await this.#end("completed");
  }
  async tool(): Promise<void> {
    await this.#submit(`#bash ${this.#trace()}\n#say ${this.#mark()}`);
    await this.#end("completed");
  }
  /** Said while a tool is at work. */
  async steered(times: number): Promise<void> {
    const gate = this.#pipe();
    const { turnId } = await this.#submit(`#bash ${this.#trace()}; cat ${gate.path}\n#say ${this.#mark()}`);
    const held = await gate.hold();
    for (let nth = 0; nth < times; nth++) {
      const receipt = await this.#submit(`think of ${this.#mark()} too`);
      strictEqual(`${receipt.disposition} ${receipt.turnId}`, `offered ${turnId}`);
    }
    await held.close();
    await this.#end("completed");
  }
  /** A call that waits for a person, who has another client. */
  async asked(): Promise<void> {
    const nth = this.#reader.of("turn.waiting").length + 1;
    await this.#submit(`#bash ${this.#trace("asked")}\n#say ${this.#mark()}`);
    await this.#reader.until("turn.waiting", nth);
    const other = this.#served.client();
    const [open] = await other.approvals({ sessionId: this.#session.id, open: true });
    await other.answer(open?.id ?? "none", { decision: "allow" });
    await this.#end("completed");
  }
  /** What is kept is what the person wishes: every marker so far. */
  async compacted(): Promise<void> {
    await this.#client.compact(this.#session.id, `keep all of this\n#say kept: ${this.said.join(" ")}`);
    const { state } = await this.#reader.until("compaction", 2);
    strictEqual(state, "completed");
  }
  /** A command that ends after the result, which the agent then speaks of in a turn of its own. */
  async behind(): Promise<void> {
    const gate = this.#pipe();
    const call = { command: `cat ${gate.path}; ${this.#trace()}`, description: "d", run_in_background: true };
    await this.#submit(`#tool Bash ${JSON.stringify(call)}\n#say ${this.#mark()}`);
    await this.#end("completed");
    await gate.write();
    await this.#end("completed");
    strictEqual(this.#reader.of("turn.started").at(-1)?.origin, "agent");
  }

  // --- what befalls it ----------------------------------------------------------------------------------------------

  /** `kill -9` of the agent in a tool; returns the tool's trace. */
  async killAgent(): Promise<string> {
    const { agent, held, trace } = await this.#inTool();
    process.kill(agent, "SIGKILL");
    await this.#end("failed");
    await held.close();
    return trace;
  }
  /** `kill -9` of the server in a tool, and a new server; returns the tool's trace. */
  async killHost(): Promise<string> {
    const { held, trace } = await this.#inTool();
    const last = this.#reader.seen.at(-1)?.cursor ?? null;
    await this.#served.kill();
    await this.#reader.stop();
    this.#client = await this.#served.start();
    this.#reader = this.#follow(last);
    this.#ends = 0;
    await this.#end("interrupted");
    await held.close();
    return trace;
  }
  /** A tool is at work and said whose child it is, and the agent wrote down that it began. */
  async #inTool() {
    const [gate, parent] = [this.#pipe(), this.#pipe()];
    const begun = this.#trace();
    await this.#submit(`#bash ${begun}; echo $PPID > ${parent.path}; cat ${gate.path}\n#say ${this.#mark()}`);
    const agent = Number(await parent.read());
    const held = await gate.hold();
    const trace = traceOf.exec(begun)?.[1] ?? "";
    await written(await this.#transcript(), new RegExp(`"tool_use"[^\\n]*${trace} `));
    return { agent, held, trace };
  }
  async #transcript(): Promise<string> {
    const homes = join(this.#served.data, "homes");
    const names = await readdir(homes, { recursive: true });
    return join(homes, names.find((name) => name.endsWith(".jsonl")) ?? "none");
  }

  // --- what there is at the end -------------------------------------------------------------------------------------

  async unfinished() {
    const { id } = this.#session;
    return {
      messages: (await this.#messages()).filter(({ status }) => status === "open"),
      inputs: await this.#client.inputs(id).list(),
      approvals: await this.#client.approvals({ sessionId: id, open: true }),
      work: (await this.#client.work()).items,
    };
  }
  /** The markers of the stored user messages. */
  async stored(): Promise<readonly string[]> {
    const messages = await this.#messages();
    return markersOf(messages.filter(({ role }) => role === "user").map(({ parts }) => parts));
  }
  /** The markers in the newest request of the model, but for what it said itself. */
  told(): readonly string[] {
    return markersOf(this.#requests.at(-1)?.prompt.filter(({ role }) => role !== "assistant") ?? []);
  }
  /** What the tools left behind. */
  async traces(): Promise<readonly string[]> {
    return (await readFile(join(this.#session.workspace, "side.log"), "utf8")).trimEnd().split("\n");
  }
  /** How many calls the model made of each tool, in the order of the first. */
  timesCalled(): readonly (readonly [trace: string, calls: number])[] {
    const calls = this.#requests.flatMap(({ prompt }) => prompt.flatMap((said) => ("calls" in said ? said.calls : [])));
    const ids = new Map<string, Set<string>>();
    for (const { id, input } of calls) {
      const trace = traceOf.exec(input)?.[1] ?? input;
      ids.set(trace, (ids.get(trace) ?? new Set()).add(id));
    }
    return [...ids].map(([trace, of]) => [trace, of.size]);
  }
  /** The stored part of a tool's call. */
  async callOf(trace: string): Promise<Part | undefined> {
    const parts = (await this.#messages()).flatMap((message) => (message.role === "assistant" ? message.parts : []));
    return parts.find((part) => "input" in part && JSON.stringify(part.input).includes(trace));
  }
  /** Snapshots in the place of events: but for the one that was asked for, at the beginning. */
  gaps() {
    return this.#readers.flatMap(({ seen }) => seen.filter(({ event }) => event.type === "snapshot")).slice(1);
  }

  async dispose(): Promise<void> {
    for (const reader of this.#readers) await reader.stop();
    await this.#served.dispose();
    await this.#model.close();
  }

  // --- what the acts are made of ------------------------------------------------------------------------------------

  get #requests() {
    return this.#model.requests.filter(({ protocol }) => protocol === "anthropic");
  }
  async #messages(): Promise<readonly StoredMessage[]> {
    return (await this.#client.messages(this.#session.id, { limit: 200 })).messages as readonly StoredMessage[];
  }
  #submit(text: string) {
    return this.#client.submit(this.#session.id, { text });
  }
  async #end(outcome: string): Promise<void> {
    this.#ends++;
    const settled = await this.#reader.until("turn.settled", this.#ends);
    strictEqual(settled.outcome, outcome, JSON.stringify(settled));
    this.outcomes.push(outcome);
  }
  #mark(): string {
    const mark = `mark-${twoDigits(this.said.length + 1)}`;
    this.said.push(mark);
    return mark;
  }
  #trace(word = "ran"): string {
    const trace = `${word}-${twoDigits(this.tools.length + 1)}`;
    this.tools.push(trace);
    return `echo ${trace} >> side.log`;
  }
  #pipe(): NamedPipe {
    this.#pipes++;
    return NamedPipe.make(join(this.#session.workspace, `pipe-${this.#pipes}`));
  }
}

const twoDigits = (n: number): string => String(n).padStart(2, "0");
const markersOf = (said: unknown): readonly string[] =>
  JSON.stringify(said).replaceAll(wishes, "").match(markers) ?? [];
