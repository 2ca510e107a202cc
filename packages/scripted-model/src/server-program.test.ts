import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./server.ts", import.meta.url));
let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill("SIGKILL");
});

function start(...args: readonly string[]): {
  exited: Promise<unknown[]>;
  lines: NodeJS.AsyncIterator<string>;
  errors: () => string;
} {
  const started = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  child = started;
  let errors = "";
  started.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  return { exited: once(started, "close"), lines, errors: () => errors };
}

describe("the program", () => {
  it("prints its address, answers, and stops on SIGTERM", async () => {
    const { exited, lines } = start("--port", "0");
    const { value: url } = await lines.next();
    const body = JSON.stringify({ messages: [{ role: "user", content: "#say hello" }] });
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "hello" } }] });
    child?.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });
  it("stops by itself", async () => {
    const { exited, lines } = start("--ttl", "0");
    expect((await lines.next()).value).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await exited).toEqual([0, null]);
  });
  it.each([
    [["--port", "x"], /--port must be a whole number up to 65535, not "x"/],
    [["--ttl", "-1"], /ttl/],
    [["--other"], /other/],
  ])("refuses %j", async (args, message) => {
    const { exited, errors } = start(...args);
    expect(await exited).toEqual([2, null]);
    expect(errors()).toMatch(message);
  });
});
