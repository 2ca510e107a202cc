import { describe, expect, it } from "vitest";
import { firstLineOf, listedNames, textFileIn, wentWrong } from "./tool-text.ts";

describe("listedNames", () => {
  it.each([
    ["lines", "a.txt\nsrc/\n\nb.md\n", ["a.txt", "src/", "b.md"]],
    ["bullets", "- a.txt\n* src/", ["a.txt", "src/"]],
    ["remarks", "a.txt\n(empty)\n[12 more]\n.", ["a.txt"]],
    ["a JSON list", '["a.txt","src/"]', ["a.txt", "src/"]],
    ["JSON entries", '{"entries":[{"name":"a.txt"},{"name":"src","type":"directory"}]}', ["a.txt", "src/"]],
    ["JSON text", '{"output":"a.txt\\nb.txt","total":2}', ["a.txt", "b.txt"]],
    ["nothing", "", []],
  ])("reads %s", (_, listing, names) => {
    expect(listedNames(listing)).toEqual(names);
  });
});

describe("textFileIn", () => {
  it.each([
    ["the read-me", ["a.txt", "package.json", "README.md"], "README.md"],
    ["the package file", ["a.txt", "package.json"], "package.json"],
    ["the first text file", ["src/", "logo.png", "b.txt", "a.txt"], "b.txt"],
    ["the first file", ["logo.png", "data.weird"], "data.weird"],
    ["no hidden file", [".env", ".git/", "x/.env"], undefined],
    ["no folder or link", ["README/", "src/", "README.md@"], undefined],
    ["no picture", ["logo.png"], undefined],
  ])("takes %s", (_, names, file) => {
    expect(textFileIn(names)).toBe(file);
  });
});

describe("firstLineOf", () => {
  it.each([
    ["plain text", "\n---\nHello\nmore", "Hello"],
    ["numbered lines", "     1\t# Title\n     2\tmore", "# Title"],
    ["JSON", '{"content":"inside\\nmore"}', "inside"],
    ["nothing", "", ""],
    ["a long line", "x".repeat(500), "x".repeat(120)],
  ])("of %s", (_, text, line) => {
    expect(firstLineOf(text)).toBe(line);
  });
});

describe("wentWrong", () => {
  it.each([
    [{ callId: "", text: "fine", failed: true }, true],
    [{ callId: "", text: "Error: no such file", failed: false }, true],
    [{ callId: "", text: "Tool call execution denied.", failed: false }, true],
    [{ callId: "", text: "errors.md\nREADME.md", failed: false }, false],
  ])("%j is %s", (given, wrong) => {
    expect(wentWrong(given)).toBe(wrong);
  });
});
