/** Nobody gets further without the token, the cookie of a page that had it, or what an embedder asks for instead. */
import type { Authenticator } from "../auth/authenticate.ts";
import { httpError } from "../problem.ts";
import type { Gate } from "./gate.ts";

export const tokenGate =
  ({ authenticate }: Authenticator): Gate =>
  ({ open }) =>
  async (c, next) => {
    if (open) return next();
    const principal = await authenticate(c.req.raw);
    if (principal === null)
      throw httpError("unauthorized", "Send the token in the header `Authorization: Bearer <token>`, or log in.");
    c.set("principal", principal);
    return next();
  };
