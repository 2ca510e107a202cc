/**
 * A chat response as a stream of bytes. Invariants: it ends with its client or with the server; a client that takes
 * nothing for too long is cut, and resumes.
 */
import { MooringError } from "../../protocol/errors.ts";
import type { HttpLimits } from "../limits.ts";
import type { Begun } from "./begun.ts";
import { type FeedPorts, ResponseFeed } from "./response-feed.ts";

export type StreamPorts = FeedPorts & { readonly limits: Pick<HttpLimits, "chatStallMs"> };

/** `closed`: called once, however it ends. */
export function chatStream(
  ports: StreamPorts,
  begun: Begun,
  signal: AbortSignal,
  closed: () => void,
): ReadableStream<Uint8Array> {
  const { clock, limits } = ports;
  const feed = new ResponseFeed(ports, begun);
  let disarm = (): void => {};
  let isOver = false;
  let isLeft = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    disarm();
    feed.close();
    signal.removeEventListener("abort", end);
    closed();
  };
  const leave = (): void => {
    isLeft = true;
    end();
  };
  const stall = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    disarm();
    disarm = clock.after(limits.chatStallMs, () => {
      end();
      controller.error(stalled(limits.chatStallMs));
    });
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    disarm();
    try {
      const text = await feed.next();
      if (isLeft) return;
      if (text === null) {
        end();
        return controller.close();
      }
      controller.enqueue(Buffer.from(text));
      stall(controller);
    } catch (cause) {
      end();
      controller.error(cause);
    }
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  return new ReadableStream<Uint8Array>({ start: stall, pull, cancel: leave }, { highWaterMark: 0 });
}
const stalled = (ms: number): MooringError =>
  new MooringError("slow-subscriber", `The client took nothing for ${ms} ms. It may resume.`, { retry: "now" });
