/**
 * `mooring serve`: the host of a data directory, for every client. Invariants: beyond this computer it starts only with a
 * token a person chose; it is found (`server.json`) while it answers and not longer; a signal ends it in order, with the
 * status 0.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ServeCommand } from "../command.ts";
import type { Context } from "../commands/host-request.ts";
import { type OwnHost, pageDirectory, serverHandler, withOwnHost } from "../compose.ts";
import { dataDirOf } from "../data-dir.ts";
import { exitCodes } from "../exit-codes.ts";
import { limits } from "../limits.ts";
import { ownVersion } from "../own-version.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { hostsOf, isLoopback, localUrl } from "./address.ts";
import { findServer } from "./find-server.ts";
import { greetingText } from "./greeting.ts";
import { type HttpServer, listen } from "./http-server.ts";
import { removeServerFile, writeServerFile } from "./server-file.ts";
import { ownToken, serverToken, tokenFile } from "./token.ts";

type Serving = Omit<ServeCommand, "kind" | "dataDir"> & { readonly dataDir: string; readonly terminal: Terminal };

/** Resolves to the exit status. */
export async function serve(command: ServeCommand, { terminal, debug }: Context): Promise<number> {
  const serving = await checked(command, terminal);
  const { host, port, dataDir, roots } = serving;
  const server = await listen(host, port);
  try {
    const { env, err } = terminal;
    const opening = { env, command: "mooring serve", roots, runsTurns: true, debug, err, dataDir };
    await withOwnHost({ ...opening, logs: true }, (own) => serveHost(own, server, serving));
  } finally {
    await server.close();
  }
  return exitCodes.done;
}

async function checked(command: ServeCommand, terminal: Terminal): Promise<Serving> {
  const { env, cwd } = terminal;
  const dataDir = command.dataDir === undefined ? dataDirOf(env, cwd) : resolve(cwd, command.dataDir);
  if (!isLoopback(command.host) && ownToken(env) === null) {
    throw new UsageError(
      `On ${command.host} other computers reach this server: it starts there only with a token of your own.`,
      "For example: export MOORING_TOKEN=$(openssl rand -hex 32)",
    );
  }
  const running = await findServer(dataDir);
  if (running !== null) {
    const hint = "Every command talks to it. Stop it first, or choose another --data-dir.";
    throw new UsageError(`A server of ${dataDir} runs already: ${running.url}, pid ${running.pid}.`, hint);
  }
  const named = command.roots.length === 0 ? ["."] : command.roots;
  return { ...command, dataDir, roots: named.map((root) => directory(resolve(cwd, root))), terminal };
}

function directory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`${path} is no directory.`, "--root takes one that is there.");
}

async function serveHost({ host, log }: OwnHost, server: HttpServer, serving: Serving): Promise<void> {
  const { dataDir, origins, terminal } = serving;
  const url = localUrl(serving.host, server.port);
  const page = pageDirectory();
  const handler = await serverHandler(host, {
    auth: { token: await serverToken(dataDir, terminal.env) },
    log,
    allowedOrigins: origins,
    allowedHosts: hostsOf(origins),
    listenUrl: localUrl(serving.host, server.port),
    backupDir: join(dataDir, "backups"),
    ...(page === null ? {} : { pageDir: page }),
  });
  const stop = stopping(host, handler.beginShutdown, terminal);
  server.answerWith((request, env) => handler.fetch(request, env));
  writeServerFile(dataDir, { url, pid: process.pid, version: ownVersion() });
  try {
    terminal.out(
      greetingText(
        {
          ...{ url, dataDir, roots: serving.roots, version: ownVersion() },
          login: page === null ? null : `${url}/login?code=${handler.loginCode()}`,
          token: ownToken(terminal.env) === null ? `in ${tokenFile(dataDir)}` : "as MOORING_TOKEN says",
          agents: await host.agents.list(),
          drivers: await host.drivers(),
        },
        terminal,
      ),
    );
    await stop.stopped;
  } finally {
    stop.dispose();
    removeServerFile(dataDir);
    handler.close();
  }
}

/** The first signal lets turns end, the second hardly, the third waits for nothing. */
function stopping(host: OwnHost["host"], begin: () => void, terminal: Terminal) {
  const stopped = Promise.withResolvers<void>();
  let signals = 0;
  const dispose = terminal.onStop(() => {
    signals++;
    if (signals > 2) terminal.exit(exitCodes.failed);
    const graceMs = signals === 1 ? limits.serveGraceMs : limits.secondSignalGraceMs;
    begin();
    if (signals === 1) terminal.out(stoppingText(host.listActiveWork().length, terminal));
    host.shutdown({ graceMs }).then(stopped.resolve, stopped.reject);
  });
  return { stopped: stopped.promise, dispose };
}

function stoppingText(pieces: number, { look }: Terminal): string {
  if (pieces === 0) return "Stopping.\n";
  const grace = `${limits.serveGraceMs / 1_000} s`;
  return `Stopping: what runs has ${grace} to end ${look.dim(`(again: ${limits.secondSignalGraceMs / 1_000} s)`)}\n`;
}
