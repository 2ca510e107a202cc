import { expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { fenced, inlineCode, literal, markdownText, quoted } from "./markdown-text.ts";

test.each([
  ["plain text", "a *b*\n\n- c", "a *b*\n\n- c"],
  ["a code block", "```js\na\n```\nb", "```js\na\n```\nb"],
  ["code inside a line", "use ```a``` here", "use ```a``` here"],
  ["a code block in a list", "1. a\n   ```\n   b\n   ```\n2. c", "1. a\n   ```\n   b\n   ```\n2. c"],
  ["a code block in a code block", "````\n```\n````", "````\n```\n````"],
  ["other line ends", "a\r\nb\rc", "a\nb\nc"],
  ["what surrounds it", "\n \n  a\n\n", "  a"],
])("%s stays as it is", (_, text, markdown) => expect(markdownText(text)).toBe(markdown));

test.each([
  ["a code block that was cut short is closed", "a\n```js\nb", "a\n```js\nb\n```"],
  ["by a mark of its kind", "~~~~\n```", "~~~~\n```\n~~~~"],
  ["HTML is shown, not begun", "<!-- a\n- <div>\n> <?x\n</p>", "\\<!-- a\n- \\<div>\n> \\<?x\n\\</p>"],
  ["addresses stay", "<https://example.org> <me@example.org>", "<https://example.org> <me@example.org>"],
  ["HTML in code stays", "```\n<!-- a\n```", "```\n<!-- a\n```"],
])("%s", (_, text, markdown) => expect(markdownText(text)).toBe(markdown));

test.each([
  ["in a list", "- a\n  ```\n  b"],
  ["that may have ended with its list", "- ```\nb\n  ```"],
  ["behind a tab", "-\t```\n\tb\n\t```"],
  ["behind a number in a paragraph", "a\n2. ```\n   b\n   ```"],
])("a code block %s makes the whole a code block", (_, text) => expect(markdownText(text)).toBe(fenced(text)));

test("a fence is longer than any in the text", () => {
  expect(fenced("a ```` b\n```", "text")).toBe("`````text\na ```` b\n```\n`````");
});

test("what is literal is one line in which nothing is marked", () => {
  expect(literal(" a\n# *b* [c](d) `e` <f> &amp; ")).toBe("a \\# \\*b\\* \\[c\\](d) \\`e\\` \\<f\\> \\&amp;");
  expect([inlineCode("a`b\n\u0007c"), quoted("a\n\nb")]).toEqual(["`a'b c`", "> a\n>\n> b"]);
});

test("a long hostile line takes no long time", () => {
  const spent = cpuMs(() => {
    for (const piece of ["\t", "- ", " ", "`", "> ", "1. ", "<!", "~"]) markdownText(piece.repeat(200_000));
  });
  expect(spent).toBeLessThan(5_000);
});
