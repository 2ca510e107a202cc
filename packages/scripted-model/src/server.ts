/**
 * The deterministic model as a loopback HTTP server that speaks Anthropic Messages and OpenAI Chat Completions;
 * also a program: `node src/server.ts --port N --log FILE --ttl SECONDS`.
 * Invariants: the directives decide every answer, the wires every format, this file only carries; a response ends
 * when its client goes away; as a program it stops by itself.
 */
import { appendFileSync, realpathSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { anthropicWire } from "./anthropic-wire.ts";
import { promptChars, tokensFor } from "./conversation.ts";
import { isCut, ScriptedModelError } from "./errors.ts";
import { parseJson } from "./json.ts";
import { openaiWire } from "./openai-wire.ts";
import { play, playWhole, type Timing } from "./play.ts";
import { type FailedReply, Player, type PlayerOptions, type Reply } from "./player.ts";
import type { LoggedRequest } from "./request-log.ts";
import type { Wire, WireRequest } from "./wire.ts";

export interface ScriptedServerOptions extends Timing, Omit<PlayerOptions, "log"> {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** A file that gets one JSON line per request, or a function that gets each. */
  readonly log?: string | ((entry: LoggedRequest) => void);
}

export interface ScriptedServer {
  /** `http://HOST:PORT`, without a path. */
  readonly url: string;
  /** The last 1000 requests, oldest first; a live view. */
  readonly requests: readonly LoggedRequest[];
  /** Ends every open response and stops listening. */
  close(): Promise<void>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly player: Player;
  readonly timing: Timing;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

const maxBody = 64 * 1024 * 1024;

// Both protocols have a model list at this path; its entries carry the fields of both.
const modelList = {
  object: "list",
  data: [
    {
      id: "scripted",
      object: "model",
      created: 0,
      owned_by: "mooring",
      type: "model",
      display_name: "Scripted model",
      created_at: "1970-01-01T00:00:00Z",
    },
  ],
  has_more: false,
  first_id: "scripted",
  last_id: "scripted",
};

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBody) throw new ScriptedModelError("body-too-large", `The body is larger than ${maxBody} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves when the text was handed to the network, so that a cut after it does not take it back. */
const flush = (response: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve) => response.write(text, () => resolve()));

async function sendStream(
  { response, timing, signal }: Exchange,
  wire: Wire,
  asked: WireRequest,
  reply: Reply,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  for await (const text of wire.stream(reply, asked, play(reply, timing, signal))) await flush(response, text);
  response.end();
}

async function sendWhole(
  { response, timing, signal }: Exchange,
  wire: Wire,
  asked: WireRequest,
  reply: Reply,
): Promise<void> {
  if (reply.ending.type === "hang") response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  await playWhole(reply, timing, signal);
  sendJson(response, 200, wire.whole(reply, asked));
}

function sendFailure(response: ServerResponse, wire: Wire, reply: FailedReply): void {
  const headers: Record<string, string> = {};
  if (reply.retryAfter !== undefined) headers["retry-after"] = String(reply.retryAfter);
  sendJson(response, reply.status, wire.failure(reply), headers);
}

async function answer(exchange: Exchange, wire: Wire): Promise<void> {
  const { player, request, response, signal } = exchange;
  const body = parseJson(await readBody(request));
  if (body === undefined)
    return sendJson(response, 400, wire.failure({ status: 400, message: "The body is not JSON." }));
  const asked = wire.read(body);
  const reply = player.reply(wire.protocol, asked.model, asked.conversation);
  if (reply.type === "failure") return sendFailure(response, wire, reply);
  try {
    await (asked.stream ? sendStream : sendWhole)(exchange, wire, asked, reply);
  } catch (error) {
    if (!isCut(error) && !signal.aborted) throw error;
    response.destroy();
  }
}

async function countTokens({ request, response, player }: Exchange): Promise<void> {
  const { conversation, model } = anthropicWire.read(parseJson(await readBody(request)));
  player.requests.add({
    protocol: "anthropic",
    model,
    system: conversation.system,
    prompt: conversation.messages,
    tools: conversation.tools.map((tool) => tool.name),
    step: { source: "none", index: 0, kind: "count_tokens" },
  });
  sendJson(response, 200, { input_tokens: tokensFor(promptChars(conversation)) });
}

function answerOther({ request, response, player }: Exchange, method: string, path: string): void {
  const step = { source: "none", index: 0, kind: `${method} ${path}` } as const;
  player.requests.add({ protocol: "http", model: "", system: "", prompt: [], tools: [], step });
  request.resume();
  if (method === "HEAD") {
    // Agents look whether the address is alive before they use it.
    response.writeHead(200).end();
  } else if (method === "GET" && path.endsWith("/models")) {
    sendJson(response, 200, modelList);
  } else {
    const message = `There is no ${method} ${path}.`;
    sendJson(response, 404, anthropicWire.failure({ status: 404, message }));
  }
}

async function route(exchange: Exchange): Promise<void> {
  const method = exchange.request.method ?? "GET";
  const path = (exchange.request.url ?? "/").split("?")[0] ?? "/";
  if (method === "POST" && path.endsWith("/messages/count_tokens")) return countTokens(exchange);
  if (method === "POST" && path.endsWith("/messages")) return answer(exchange, anthropicWire);
  if (method === "POST" && path.endsWith("/chat/completions")) return answer(exchange, openaiWire);
  answerOther(exchange, method, path);
}

/** The last resort: a request ends in an answer or a closed connection, never in silence. */
function fail(response: ServerResponse, error: unknown): void {
  const status = error instanceof ScriptedModelError && error.code === "body-too-large" ? 413 : 500;
  const message = error instanceof Error ? error.message : String(error);
  if (response.headersSent) response.destroy();
  else sendJson(response, status, anthropicWire.failure({ status, message }), { connection: "close" });
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new ScriptedModelError("listen-failed", `Cannot listen on ${host}:${port}: ${cause.message}`, cause));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const sinkOf = (log: ScriptedServerOptions["log"]): ((entry: LoggedRequest) => void) => {
  if (typeof log === "string") return (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
  return log ?? (() => {});
};

/**
 * Starts the server. It answers `POST /v1/messages` and `/v1/messages/count_tokens`, `POST /v1/chat/completions`,
 * `GET /v1/models`, and any `HEAD`. Rejects with `ScriptedModelError` `listen-failed` when the port is taken.
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const { port = 0, host = "127.0.0.1", now = Date.now } = options;
  const player = new Player({ now, log: sinkOf(options.log) });
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const exchange = { request, response, player, timing: options, signal: gone.signal };
    route(exchange).catch((error: unknown) => fail(response, error));
  });
  const actualPort = await listen(server, port, host);
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${actualPort}`,
    requests: player.requests.entries,
    close: () => close(server),
  };
}

interface ProgramOptions {
  readonly port: number;
  readonly ttlSeconds: number;
  readonly log?: string;
}

function numberArgument(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= max) return value;
  throw new ScriptedModelError("bad-argument", `--${name} must be a whole number up to ${max}, not "${text}".`);
}

/** Reads the program's arguments. Throws a `TypeError` or `bad-argument` with a message for people. */
function programOptions(args: readonly string[]): ProgramOptions {
  const options = { port: { type: "string" }, log: { type: "string" }, ttl: { type: "string" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  return {
    port: numberArgument("port", values.port ?? "0", 65_535),
    // A longer timer would overflow and fire at once.
    ttlSeconds: numberArgument("ttl", values.ttl ?? "600", 2_000_000),
    ...(values.log !== undefined && { log: values.log }),
  };
}

/** Resolves after the time, or at the first signal to end. */
function untilStopped(ttlSeconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ttlSeconds * 1000);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
  });
}

async function runProgram(args: readonly string[]): Promise<void> {
  const { port, ttlSeconds, log } = programOptions(args);
  const server = await startScriptedServer({ port, ...(log !== undefined && { log }) });
  console.log(server.url);
  await untilStopped(ttlSeconds);
  await server.close();
}

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  runProgram(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  });
}
