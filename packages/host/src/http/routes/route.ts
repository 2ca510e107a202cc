/**
 * One route as data: what it is called by, what it takes and gives, and what of the host it calls. Routing, checking and
 * the API's description are made from it; nothing else says what the surface is.
 */
import type { z } from "zod";
import type { ByteSink, InputsOf, SessionHost } from "../../host/api.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HttpHolds } from "../http-holds.ts";
import type { BodyKind, HttpLimits } from "../limits.ts";

type Methods<T> = {
  [Key in keyof T]: T[Key] extends (...args: never[]) => unknown ? Key : never;
}[keyof T] &
  string;
/** What of a host is not asked itself but has methods of its own: agents, rules. */
type Lists = Exclude<keyof SessionHost, Methods<SessionHost>>;
/** Everything a host can be asked. Inputs, agents and the like by their own methods. */
export type HostCall =
  | Exclude<Methods<SessionHost>, "inputs">
  | `inputs.${Methods<InputsOf>}`
  | { [List in Lists]: `${List}.${Methods<SessionHost[List]>}` }[Lists];

export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a route works with. */
export type RoutePorts = {
  readonly host: SessionHost;
  readonly holds: HttpHolds;
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** Where backups asked for over HTTP lie; null: none are made. */
  readonly backupDir: string | null;
};
export type FileBody = { readonly mediaType: string; readonly bytes: Uint8Array };
export type Call<Name extends string, Query, Body> = {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Who asks. */
  readonly by: string;
  header(name: string): string | undefined;
};
/** Writes server-sent events until the signal ends it. Rejects before it asks the sink for anything if it cannot begin. */
export type EventWriter = (sink: ByteSink, signal: AbortSignal) => Promise<void>;
export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly value: unknown }
  | { readonly kind: "empty"; readonly status: 204 | 304; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly kind: "content";
      readonly status: number;
      readonly content: string | Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "events"; readonly write: EventWriter };

export const json = (value: unknown, status = 200): Answer => ({ kind: "json", status, value });
export const done: Answer = { kind: "empty", status: 204 };

/** What comes with a status. A schema: JSON. Else a media type whose content is text or bytes. */
export type Content =
  | z.ZodType
  | { readonly mediaType: string; readonly data?: z.ZodType; readonly description: string }
  | null;
export type RouteOf<Path extends string, Query, Body> = {
  /** Unique; the description's `operationId`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: Path;
  readonly calls: readonly HostCall[];
  readonly summary: string;
  readonly query?: z.ZodType<Query>;
  /** Absent: nothing is read. A file's body is its bytes. */
  readonly body?: z.ZodType<Body> | "file";
  /** How long a body may be; `json` when there is one. */
  readonly size?: BodyKind;
  /** Request headers it reads, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly open?: boolean;
  /** By status. The first is what it answers. */
  readonly replies: Readonly<Record<number, Content>>;
  run(call: Call<PathParams<Path>, Query, Body>, ports: RoutePorts): Promise<Answer>;
};
export type Route = RouteOf<string, unknown, unknown>;
/** A route whose `calls` are known to the compiler. */
export type CallingRoute<Calls extends HostCall> = Route & { readonly calls: readonly Calls[] };

export function route<const Path extends string, Query, Body, const Calls extends HostCall>(
  given: RouteOf<Path, Query, Body> & { readonly calls: readonly Calls[] },
): CallingRoute<Calls> {
  return given as unknown as CallingRoute<Calls>; // its own schemas made what its `run` is given
}
