/** Every bound of the HTTP surface in one place, with its unit. What hits one is told in a problem document. */

export type HttpLimits = {
  /** Bytes of a request's body, by what it carries. */
  readonly bodyBytes: Readonly<Record<BodyKind, number>>;
  /** Objects and lists inside each other in a body. */
  readonly jsonDepth: number;
  /** Objects, lists, names and values in a body. */
  readonly jsonValues: number;
  /** Wrong fields named in one problem document. */
  readonly problemFields: number;
  readonly pageRows: number; // rows of one page, at most
  readonly streams: number; // open event streams
  readonly holds: number; // named pauses asked for over HTTP
  readonly drainMs: number; // longest wait for work in flight
  readonly heartbeatMs: number; // silence on a stream of all sessions
  readonly reconnectMs: number; // what a client of it is told to wait before it connects again
  readonly loginCodes: number; // not used yet; the oldest goes first
  readonly loginCodeMs: number; // for a login code to be used
  readonly cookieMs: number; // a page stays logged in
  readonly retryAfterSeconds: number; // told when trying again later may help
  readonly corsMaxAgeSeconds: number; // a browser remembers what another origin may do
  readonly chatWaitMs: number; // a chat response waits for its message to open
  readonly chatAskMs: number; // a chat response waits for more questions before it ends with those it has
  readonly chatStallMs: number; // a chat client takes nothing before it is cut
  readonly chatBatchChars: number; // of chunks gathered into one write
  readonly chatReplayMessages: number; // of a turn, told again to a chat client that resumes
  readonly chatAnswers: number; // to questions, in one message
};
/** `none`: what comes is not read. */
export type BodyKind = "none" | "json" | "input" | "document" | "file" | "chat";

const mebi = 1_048_576;

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: { none: mebi, json: mebi, input: 32 * mebi, document: 34 * mebi, file: 20 * mebi, chat: 64 * mebi },
  jsonDepth: 64,
  jsonValues: 200_000,
  problemFields: 20,
  pageRows: 200,
  streams: 2_000,
  holds: 100,
  drainMs: 3_600_000,
  heartbeatMs: 15_000,
  reconnectMs: 1_000,
  loginCodes: 16,
  loginCodeMs: 300_000,
  cookieMs: 30 * 86_400_000,
  retryAfterSeconds: 1,
  corsMaxAgeSeconds: 600,
  chatWaitMs: 600_000,
  chatAskMs: 250,
  chatStallMs: 60_000,
  chatBatchChars: 65_536,
  chatReplayMessages: 50,
  chatAnswers: 100,
};
