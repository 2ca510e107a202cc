/** The client as a page gets it: bundled, and run where there is nothing but what browsers have. */
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { expect, test } from "vitest";
import type { createClient } from "./create-client.ts";

const webGlobals = {
  ...{ AbortController, AbortSignal, Headers, Request, Response, TextDecoder, TextEncoder },
  ...{ ReadableStream, URL, URLSearchParams, setTimeout, clearTimeout },
};

async function bundled(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["mooring-source"] },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, "index.ts"), formats: ["iife"], name: "client" },
    },
  });
  const [first] = [made].flat().flatMap((output) => ("output" in output ? output.output : []));
  return first?.type === "chunk" ? first.code : "";
}

test("a page calls and follows a session", async () => {
  const code = await bundled();
  expect(code).not.toMatch(/["']node:|__vite-browser-external|require\(/);
  const frame = 'id: c1\nevent: turn.resumed\ndata: {"type":"turn.resumed","at":1}\n\n';
  const answers = ['{"items":[],"next":null}', `id: c0\ndata: {"type":"snapshot"}\n\n${frame}`];
  const page = createContext({
    ...webGlobals,
    fetch: async ({ headers }: Request) => {
      const type = headers.get("accept") === "text/event-stream" ? "text/event-stream" : "application/json";
      return new Response(answers.shift(), { headers: { "content-type": type } });
    },
  });
  const library: { createClient: typeof createClient } = runInContext(`${code};client`, page);
  const client = library.createClient({ url: "http://localhost:4483" });
  expect(await client.list()).toEqual({ items: [], next: null });
  for await (const delivered of client.events("s")) {
    expect(delivered).toEqual({ cursor: "c1", at: 1, event: { type: "turn.resumed" } });
    break;
  }
});
