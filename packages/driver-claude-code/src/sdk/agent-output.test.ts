import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { limits } from "../limits.ts";
import { AgentOutput } from "./agent-output.ts";

test("whole records pass as they are, however they are cut, and what is none is left out", async () => {
  const output = new AgentOutput();
  const said = '{"type":"a"}\nnull\n42\nDebugger attached.\n\n{"type":"ü"}\r\n{"type":"cut';
  for (const byte of Buffer.from(said)) output.write(Buffer.from([byte]));
  output.end();
  expect(await text(output)).toBe('{"type":"a"}\n{"type":"ü"}\r\n');
  expect(output.failure).toBeNull();
});

test("a line above the limit ends the output, and nothing of it is kept", async () => {
  const output = new AgentOutput();
  const broken = Promise.withResolvers<void>();
  output.once("broken", broken.resolve);
  output.write('{"type":"before"}\n{');
  const piece = Buffer.alloc(1_048_576, "x");
  for (let sent = 0; sent <= limits.lineBytes; sent += piece.length) output.write(piece);
  expect(await text(output)).toBe('{"type":"before"}\n');
  await broken.promise;
  output.write('{"type":"after"}\n');
  expect(output.failure).toMatchObject({
    code: "line-too-long",
    message: expect.stringContaining(String(limits.lineBytes)),
  });
});
