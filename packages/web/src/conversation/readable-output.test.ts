import { expect, test } from "vitest";
import { readableOutput } from "./readable-output.ts";

const data = "iVBORw0KGgo=";
const picture = `data:image/png;base64,${data}`;

test.each([
  ["plain text", "42\n", [], "42\n"],
  ["a terminal", { stdout: "out", stderr: "err", interrupted: false }, [], "out\nerr"],
  ["a value", { found: 3 }, [], '{\n  "found": 3\n}'],
  ["a list", ["a", "b"], [], '[\n  "a",\n  "b"\n]'],
  ["a data URL", picture, [picture], ""],
  ["one of MCP", { content: [{ type: "image", data, mimeType: "image/png" }] }, [picture], ""],
  ["of the AI SDK", { type: "content", value: [{ type: "media", data, mediaType: "image/png" }] }, [picture], ""],
  [
    "a picture with words",
    [
      { type: "text", text: "look" },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
    ],
    [picture],
    "look",
  ],
  ["text of MCP", { content: [{ type: "text", text: "said" }] }, [], "said"],
])("%s", (_, output, images, text) => expect(readableOutput(output)).toEqual({ images, text }));

test.each([
  [{ type: "image", data: "<svg onload=x>", mimeType: "image/svg+xml" }],
  [{ type: "image", data: "not base64!", mimeType: "image/png" }],
  ["data:text/html;base64,aGk="],
])("%o is no picture", (output) => expect(readableOutput(output).images).toEqual([]));
