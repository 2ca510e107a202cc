/**
 * The routes of useChat, for the chat class and the transport of `ai` 6 and 7 as they are. A projection of sessions: it
 * owns nothing. Who may ask, how long a body may be and how an error looks is for the handler that mounts it.
 */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { SessionHost } from "../../host/api.ts";
import type { Clock } from "../../ports/clock.ts";
import { jsonOf } from "../body.ts";
import { checked } from "../check.ts";
import type { HttpLimits } from "../limits.ts";
import { OpenStreams } from "../streams/open-streams.ts";
import type { Begun } from "./begun.ts";
import { defaultFileUrl, type FileUrl } from "./chat-files.ts";
import { chatHeaders } from "./chat-frames.ts";
import { readChatPost } from "./chat-post.ts";
import { chatStream } from "./chat-stream.ts";
import { receivePost } from "./receive-post.ts";
import { resumeChat } from "./resume-chat.ts";

export type ChatOptions = {
  readonly host: SessionHost;
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** Open streams of the server, of which these are some; absent: as many of its own. */
  readonly streams?: OpenStreams;
  /** Where a chat client reads a stored file; absent: the file route of the same server. */
  readonly fileUrl?: FileUrl;
  /** Who asks: the author of inputs and answers. */
  readonly by?: (c: Context) => string | null;
};
const stopped = z.object({ turnId: z.string().min(1) });

/** `POST /`, `GET /:id/stream`, `POST /:id/stop`. They throw `MooringError`. */
export function chatRoutes(options: ChatOptions): Hono {
  const { host, limits, fileUrl = defaultFileUrl, by = () => null } = options;
  const ports = { host, fileUrl };
  const streams = options.streams ?? new OpenStreams(limits.streams);
  const app = new Hono();
  app.post("/", async (c) => {
    const post = await readChatPost(c.req.raw, limits);
    return answer(c, options, streams, () => receivePost(ports, post, by(c)));
  });
  app.get("/:id/stream", (c) =>
    answer(c, options, streams, () => resumeChat(ports, c.req.param("id"), limits.chatReplayMessages)),
  );
  app.post("/:id/stop", async (c) => {
    const { turnId } = checked(stopped, await jsonOf(c.req.raw, limits), "body", limits.problemFields);
    return c.json(await host.stop(c.req.param("id"), turnId));
  });
  return app;
}

/** A place among the open streams comes first: without one nothing is done. */
async function answer(
  c: Context,
  options: ChatOptions,
  streams: OpenStreams,
  begin: () => Promise<Begun | null>,
): Promise<Response> {
  const stream = streams.open();
  try {
    const begun = await begin();
    if (begun === null) {
      stream.close();
      return c.body(null, 204);
    }
    return c.body(chatStream(options, begun, stream.signal, stream.close), 200, chatHeaders);
  } catch (cause) {
    stream.close();
    throw cause;
  }
}
