/** No body is longer than what its route takes: by what it says of itself, else while it is read. */
import { bodyLimit } from "hono/body-limit";
import type { HttpLimits } from "../limits.ts";
import { httpError } from "../problem.ts";
import type { Gate } from "./gate.ts";

export const sizeGate =
  ({ bodyBytes }: Pick<HttpLimits, "bodyBytes">): Gate =>
  ({ body }) => {
    const maxBytes = bodyBytes[body];
    return bodyLimit({
      maxSize: maxBytes,
      onError: () => {
        throw httpError("body-too-large", `At most ${maxBytes} bytes are taken here.`, { maxBytes });
      },
    });
  };
