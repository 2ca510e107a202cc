/** What a follower does about a server that goes away; the rest of it is tested with whole commands. */
import { expect, test } from "vitest";
import type { CommandHost } from "../command-host.ts";
import { limits } from "../limits.ts";
import { snapshot, turnRow } from "../testing/events.ts";
import { plainLook } from "../text/look.ts";
import { Follower, type FollowerPorts } from "./follower.ts";

/** A host whose stream is lost so often in a row, and then silent. */
function losing(times: number): { readonly ports: FollowerPorts; readonly said: string[] } {
  const said: string[] = [];
  const problem = new TypeError("http://127.0.0.1:1 does not answer.");
  const events: CommandHost["events"] = async function* (_, { signal, onLost }) {
    for (let attempts = 1; attempts <= times; attempts++) onLost?.({ problem, attempts });
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    yield* [];
  };
  const output: FollowerPorts["output"] = {
    event: () => {},
    say: () => {},
    ask: (words) => said.push(words(plainLook)),
  };
  const host = { events } as CommandHost;
  const start = snapshot({ turn: turnRow() });
  return { said, ports: { host, sessionId: "ses_1", snapshot: start, output, isInteractive: false } };
}

test("a short loss is passed over, a longer one is said, and in the end it gives up with the reason", async () => {
  for (const [times, words] of [
    [1, []],
    [2, ["  http://127.0.0.1:1 does not answer. Trying again …"]],
  ] as const) {
    const { ports, said } = losing(times);
    const follower = new Follower(ports);
    const running = follower.run();
    follower.leave();
    await running;
    expect(said).toEqual(words);
  }
  await expect(new Follower(losing(limits.lostAttempts).ports).run()).rejects.toThrow("does not answer");
});
