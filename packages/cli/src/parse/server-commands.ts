/** `mooring serve`, and what is asked of a running server: `pause`, `resume`, `backup`. */
import { type Command as Commander, InvalidArgumentError } from "commander";
import { limits } from "../limits.ts";
import { given, positiveInteger, type Take } from "./options.ts";

type Serving = {
  readonly port: number;
  readonly host: string;
  readonly root: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly dataDir?: string;
};

const notes = `
The token is MOORING_TOKEN, else the one in the data directory, made at the first start. Beyond this computer (--host) the
server starts only with a MOORING_TOKEN of your own. Ctrl-C or SIGTERM stops it: running turns get 30 s, 2 s after a second.`;

export function addServerCommands(program: Commander, take: Take): void {
  program
    .command("serve")
    .description("run the server: every other command, pages and programs then share its sessions")
    .option("--port <n>", "port to listen on; 0 is any that is free", portNumber, limits.port)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--root <dir>", "directory sessions may work in, again for more (default: the current one)", collect, [])
    .option("--allow-origin <url>", "page of another address that may use it, again for more", collectOrigin, [])
    .option("--data-dir <dir>", "where it keeps its data (default: MOORING_HOME)")
    .addHelpText("after", notes)
    .action(({ port, host, root, allowOrigin, dataDir }: Serving) =>
      take({ kind: "serve", port, host, roots: root, origins: allowOrigin, ...given({ dataDir }) }),
    );
  program
    .command("pause")
    .description("let no turn start on a running server, until resume")
    .argument("<reason>", "why: its name for resume")
    .option("--drain <seconds>", "wait for what runs to end, at most this long", positiveInteger)
    .action((reason: string, { drain }: { readonly drain?: number }) =>
      take({ kind: "pause", reason, ...given({ drain }) }),
    );
  program
    .command("resume")
    .description("end a pause, or all")
    .argument("[reason]", "only this one")
    .action((reason: string | undefined) => take({ kind: "resume", ...given({ reason }) }));
  program
    .command("backup")
    .description("copy sessions and files, whole and consistent, also while the server runs")
    .argument("<path>", "directory to make; it opens as a data directory")
    .action((path: string) => take({ kind: "backup", path }));
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const collectOrigin = (value: string, before: readonly string[]): readonly string[] => [...before, origin(value)];

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
}

/** As browsers send it: scheme, name and port alone. */
function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new InvalidArgumentError("For example: https://chat.example or http://localhost:3000");
}
