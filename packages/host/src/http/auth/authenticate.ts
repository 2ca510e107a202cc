/**
 * Who is asking. Invariants: a token is taken from the `Authorization` header, a page's cookie from `Cookie`, and nothing
 * from the address; the cookie is not the token and ends with it.
 */
import { createHmac } from "node:crypto";
import { MooringError } from "../../protocol/errors.ts";
import { sameText } from "./same-text.ts";

/** Who asks: the author of inputs and answers. */
export type Principal = { readonly name: string };
/**
 * `token`: what clients send as `Authorization: Bearer`; `name`: the author of what comes with it (`owner`). Or a
 * function of an embedder's own, which resolves null for a stranger.
 */
export type Auth =
  | { readonly token: string; readonly name?: string }
  | { readonly authenticate: (request: Request) => Promise<Principal | null> };

/** Characters. */
const shortestToken = 16;

export type Authenticator = {
  authenticate(request: Request): Promise<Principal | null>;
  /** Of a page that logged in; null: there is no such way in. */
  readonly cookie: PageCookie | null;
};
export type PageCookie = { readonly name: string; readonly value: string };

/** Throws `weak-token`. */
export function authenticatorOf(auth: Auth): Authenticator {
  if ("authenticate" in auth) return { authenticate: auth.authenticate, cookie: null };
  const { token, name = "owner" } = auth;
  if (token.length < shortestToken)
    throw new MooringError("weak-token", `A token has at least ${shortestToken} characters. Use a longer one.`);
  const cookie = cookieFor(token);
  const known = ({ headers }: Request): boolean => {
    const given = bearerOf(headers.get("authorization"));
    if (given !== null) return sameText(given, token);
    const page = cookieOf(headers.get("cookie"), cookie.name);
    return page !== null && sameText(page, cookie.value);
  };
  return { authenticate: async (request) => (known(request) ? { name } : null), cookie };
}
/** Cookies know no ports: the name keeps two servers of one computer apart. */
function cookieFor(token: string): PageCookie {
  const derived = (purpose: string): string => createHmac("sha256", token).update(purpose).digest("base64url");
  return { name: `mooring-${derived("cookie name").slice(0, 8)}`, value: derived("cookie value") };
}
function bearerOf(header: string | null): string | null {
  return /^Bearer +([^ ]+) *$/i.exec(header ?? "")?.[1] ?? null;
}
function cookieOf(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
