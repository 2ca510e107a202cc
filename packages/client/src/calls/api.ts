/**
 * The typed way to the routes. Invariant: a call resolves with what the route answers, or rejects with a `ProblemError`
 * and with nothing else.
 */
import createFetch, { type Client } from "openapi-fetch";
import type { components, paths } from "../generated/api-types.ts";
import { badResponse, noConnection, ProblemError } from "../problem-error.ts";
import { readProblem } from "../read-problem.ts";

export type Schemas = components["schemas"];
export type Fetch = (request: Request) => Promise<Response>;
export type Api = Client<paths>;
export type Connection = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Sends with what every request carries. Rejects with a `ProblemError` unless the answer is a success. */
  readonly send: Fetch;
};

export function connectionTo(url: string, token: string | undefined, fetch: Fetch): Connection {
  return {
    url: url.replace(/\/+$/, ""),
    send: async (request) => {
      if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
      // What changes something is JSON, also when there is nothing to say: else a form could have sent it.
      if (isChange(request) && !request.headers.has("content-type"))
        request.headers.set("content-type", "application/json");
      const response = await answerOf(fetch, request);
      if (!response.ok) throw await readProblem(response);
      return response;
    },
  };
}
const isChange = ({ method }: Request): boolean => method !== "GET" && method !== "HEAD";

async function answerOf(fetch: Fetch, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    throw noConnection(request.url, cause);
  }
}

export const apiOver = ({ url, send }: Connection): Api => createFetch<paths>({ baseUrl: url, fetch: send });

/** What a call answered with. */
export async function dataOf<T>(call: Promise<{ readonly data?: T; readonly response: Response }>): Promise<T> {
  const { data, response } = await sure(call);
  if (data === undefined) throw badResponse(response, "nothing");
  return data;
}
/** Of a call that answers with nothing. */
export async function done(call: Promise<unknown>): Promise<void> {
  await sure(call);
}
async function sure<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw ProblemError.isInstance(cause) ? cause : unreadable(cause);
  }
}
/** A success whose body broke off, or is not what its type says. */
const unreadable = (cause: unknown): ProblemError =>
  new ProblemError(`The server's answer cannot be read (${cause instanceof Error ? cause.message : String(cause)}).`, {
    ...{ code: "bad-response", status: 200, retry: "later", retryAfterMs: null, detail: {}, cause },
  });

/** As a caller may have it: nothing that is sent is changed. */
export type Given<T> = T extends object ? { readonly [K in keyof T]: Given<T[K]> } : T;
/** The same value: the generated types have lists that could be changed, and nobody does. */
export const sent = <T>(value: Given<T>): T => value as T;

/** Leaves out what was not given: an absent parameter and one that is undefined are not the same to the types. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
