/**
 * The host as one fetch handler, for `@hono/node-server` or any framework. It owns what lives as long as the server and
 * not as long as a request: login codes, open streams, pauses.
 */
import { setCookie } from "hono/cookie";
import type { SessionHost } from "../host/api.ts";
import { silentLog } from "../host/silent-log.ts";
import { systemClock } from "../host/system-clock.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { MooringError } from "../protocol/errors.ts";
import { createApp } from "./app.ts";
import { type Auth, type Authenticator, authenticatorOf } from "./auth/authenticate.ts";
import { LoginCodes } from "./auth/login-codes.ts";
import type { GateContext, NamedGate } from "./gates/gate.ts";
import { allGates, type GateOptions } from "./gates/gates.ts";
import { HttpHolds } from "./http-holds.ts";
import { defaultHttpLimits, type HttpLimits } from "./limits.ts";
import { pageFiles } from "./page/page-files.ts";
import { bareProblem, httpError } from "./problem.ts";
import { OpenStreams } from "./streams/open-streams.ts";

export type HandlerOptions = {
  readonly auth: Auth;
  /** Origins whose pages may use the API beside its own, as `https://app.example`. They send the token. */
  readonly allowedOrigins?: readonly string[];
  /** Names it answers to beside `localhost` and addresses in digits: `name`, or `name:port`. */
  readonly allowedHosts?: readonly string[];
  /** Where people reach it; its name is allowed. */
  readonly listenUrl?: string;
  /** Directory of the built web page; absent: this server shows none. */
  readonly pageDir?: string;
  /** Absolute. Backups asked for over HTTP lie in it; absent: none are made. */
  readonly backupDir?: string;
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
  readonly log?: Log;
};
export type Handler = {
  /** `env`: what `@hono/node-server` gives; event streams are then written straight into Node's response. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** For the address `/login?code=<code>`, which logs a page in once, within minutes. Throws when `auth` has no token. */
  loginCode(): string;
  /** Event streams open now. */
  readonly streams: number;
  /** From now on `/readyz` says 503: for whoever shares out requests, before the host shuts down. */
  beginShutdown(): void;
  /** Ends every event stream, so that the server can close. */
  close(): void;
};

/** Throws `weak-token`, and `invalid-option` for what is no origin. */
export function createHandler(host: SessionHost, options: HandlerOptions): Handler {
  return handlerWith(host, options, allGates);
}
/** `gatesOf`: what makes the gates; tests leave one out to see that it was what held. */
export function handlerWith(
  host: SessionHost,
  options: HandlerOptions,
  gatesOf: (options: GateOptions) => readonly NamedGate[],
): Handler {
  const { clock = systemClock, log = silentLog, allowedOrigins = [], allowedHosts = [], listenUrl } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const authenticator = authenticatorOf(options.auth);
  const codes = new LoginCodes(clock, limits);
  const streams = new OpenStreams(limits.streams);
  let ready = true;
  const app = createApp({
    gates: gatesOf({
      authenticator,
      allowedHosts: [...allowedHosts, ...(listenUrl === undefined ? [] : [new URL(listenUrl).hostname])],
      allowedOrigins: allowedOrigins.map(checkedOrigin),
      limits,
    }),
    ports: { host, holds: new HttpHolds(host, limits.holds), clock, limits, backupDir: options.backupDir ?? null },
    streams,
    log,
    page: options.pageDir === undefined ? null : pageFiles(options.pageDir),
    isReady: () => ready,
    login: (c) => login(c, authenticator, codes, limits),
  });
  return {
    fetch: async (request, env) => {
      try {
        return await app.fetch(request, (env ?? {}) as object);
      } catch (cause) {
        return bareProblem(request, cause, log);
      }
    },
    loginCode: () => {
      if (authenticator.cookie === null) throw noLogin();
      return codes.make();
    },
    get streams() {
      return streams.size;
    },
    beginShutdown: () => {
      ready = false;
    },
    close: () => {
      ready = false;
      streams.closeAll();
    },
  };
}
function checkedOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new MooringError(
    "invalid-option",
    `"${origin}" is no origin. Give one like https://app.example, without a path.`,
  );
}
const noLogin = (): MooringError =>
  new MooringError("invalid-option", "Pages log in with a token; this handler was given another way to know who asks.");

function login(c: GateContext, { cookie }: Authenticator, codes: LoginCodes, { cookieMs }: HttpLimits): Response {
  const code = c.req.query("code") ?? "";
  if (c.req.method === "HEAD" || cookie === null || !codes.use(code))
    throw httpError(
      "login-code-invalid",
      "This code was used, is too old, or never was one. Ask the server for a new one.",
    );
  setCookie(c, cookie.name, cookie.value, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    maxAge: cookieMs / 1_000,
    secure: new URL(c.req.url).protocol === "https:",
  });
  return c.redirect("/", 303);
}
