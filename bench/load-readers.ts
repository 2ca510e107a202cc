/**
 * The clients of the load over HTTP, in a process of their own: readers of event streams that take the time each piece
 * took, and some that never read. Told over IPC what to open, and asked for what came since it was asked last.
 */
import { get, type IncomingMessage } from "node:http";
import { quantile } from "./stats.ts";

export type ToReaders =
  | {
      readonly ask: "open";
      readonly urls: readonly string[];
      readonly stalled: readonly string[];
      readonly token: string;
    }
  | { readonly ask: "seen" }
  | { readonly ask: "until"; readonly pieces: number }
  | { readonly ask: "close" };
export type FromReaders =
  | { readonly said: "opened" }
  | { readonly said: "came" }
  | {
      readonly said: "seen";
      readonly pieces: number;
      readonly bytes: number;
      /** Microseconds from the agent to here. */
      readonly p50: number;
      readonly p99: number;
      /** Streams that ended by themselves, of those that read and of those that do not. */
      readonly cut: number;
      readonly stalledCut: number;
    };

/** Begins every piece: microseconds of the machine's monotonic clock. */
export const stampOf = (): string => String(process.hrtime.bigint() / 1_000n);
const stamp = /"delta":"(\d+) /g;

/** Microseconds each piece took since it was asked last. */
let took: number[] = [];
let [pieces, bytes, cut, stalledCut] = [0, 0, 0, 0];
/** Told when so many pieces came. */
let awaited: { readonly pieces: number; readonly came: () => void } | null = null;
const open = new Set<IncomingMessage>();

const opened = (url: string, token: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      open.add(response);
      response.on("error", () => {}); // `close` follows
      if (response.statusCode === 200) resolve(response);
      else reject(new RangeError(`${url}: ${response.statusCode}`));
    }).on("error", reject);
  });
async function read(url: string, token: string): Promise<void> {
  const response = await opened(url, token);
  let rest = "";
  response.on("data", (some: Buffer) => {
    bytes += some.length;
    const text = rest + some.toString();
    const end = text.lastIndexOf("\n\n");
    rest = text.slice(end + 1);
    const now = Number(process.hrtime.bigint() / 1_000n);
    for (const [, at] of text.slice(0, end + 1).matchAll(stamp)) {
      pieces++;
      took.push(now - Number(at));
    }
    noteArrival();
  });
  response.on("close", () => {
    if (open.delete(response)) cut++;
  });
}
function noteArrival(): void {
  if (awaited === null || pieces < awaited.pieces) return;
  awaited.came();
  awaited = null;
}
async function stall(url: string, token: string): Promise<void> {
  const response = await opened(url, token);
  response.pause();
  response.socket.on("close", () => {
    if (open.delete(response)) stalledCut++;
  });
}

if (process.send !== undefined) {
  const tell = (message: FromReaders): void => void process.send?.(message);
  process.on("message", (message: ToReaders) => {
    if (message.ask === "open") {
      const { urls, stalled, token } = message;
      Promise.all([...urls.map((url) => read(url, token)), ...stalled.map((url) => stall(url, token))]).then(
        () => tell({ said: "opened" }),
        (cause: unknown) => {
          console.error(cause);
          process.exit(1);
        },
      );
    } else if (message.ask === "seen") {
      tell({ said: "seen", pieces, bytes, p50: quantile(took, 0.5), p99: quantile(took, 0.99), cut, stalledCut });
      [took, pieces, bytes] = [[], 0, 0];
    } else if (message.ask === "until") {
      awaited = { pieces: message.pieces, came: () => tell({ said: "came" }) };
      noteArrival();
    } else {
      for (const response of open) {
        open.delete(response);
        response.destroy();
      }
    }
  });
  process.on("disconnect", () => process.exit(0));
}
