/** No body is longer than what its route takes: by what it says of itself, else while it is read. */
import { bodyLimit } from "hono/body-limit";
import type { HttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";
import type { Gate } from "./gate.ts";

export const sizeGate =
  ({ bodyBytes }: Pick<HttpLimits, "bodyBytes">): Gate =>
  ({ body }) => {
    const maxBytes = bodyBytes[body];
    const limited = bodyLimit({
      maxSize: maxBytes,
      onError: () => {
        throw httpError("body-too-large", `At most ${maxBytes} bytes are taken here.`, { maxBytes });
      },
    });
    // These have no body, and to look for one makes a whole `Request`: kilobytes for as long as a stream is open.
    return (c, next) => (c.req.method === "GET" || c.req.method === "HEAD" ? next() : limited(c, next));
  };
