import { expect, test } from "vitest";
import { jsonText, oneLine, plainText, visibleText } from "./plain-text.ts";

const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{Cc}/u.test(character) && character !== "\n" && character !== "\t",
);

test("takes every control character of both sets away, but newline and tab", () => {
  expect(controls).toHaveLength(63);
  expect(plainText(`a${controls.join("")}b\n\tc`)).toBe("ab\n\tc");
});

test("an escape sequence is left without its beginning, in seven and in eight bits", () => {
  expect(plainText("\u001b[2J\u009b31mred \u001b]0;title\u0007")).toBe("[2J31mred ]0;title");
});

test("what turns the direction of text is taken away; letters of every script stay", () => {
  expect(plainText("rm \u202egnp.txt\u202c \u2066x\u2069 é 漢字 עברית 👍🏽")).toBe("rm gnp.txt x é 漢字 עברית 👍🏽");
});

test("one line: white space becomes one space, and a cut never splits a character", () => {
  expect(oneLine("  a\r\n\tb\u0000c  ", 20)).toBe("a bc");
  expect(oneLine("👍👍👍👍", 3)).toBe("👍👍…");
});

test("a person who decides sees what is hidden", () => {
  expect(visibleText("echo ok\r\u001b[8m; rm -rf x\u202e")).toBe("echo ok\\u{d}\\u{1b}[8m; rm -rf x\\u{202e}");
});

test("JSON stays the same value and has no unsafe character", () => {
  const value = { text: `a\u009b31m\u007f\u202e${controls.join("")}` };
  expect(JSON.parse(jsonText(value))).toEqual(value);
  expect(plainText(jsonText(value))).toBe(jsonText(value));
});
