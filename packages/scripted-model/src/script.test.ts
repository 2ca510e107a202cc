import { describe, expect, it } from "vitest";
import { type Action, parseScript, plainText, type Step } from "./script.ts";

const step = (action: Action, extra: Partial<Step> = {}): Step => ({ failures: [], thoughts: [], ...extra, action });
const always = Number.POSITIVE_INFINITY;

describe("one directive", () => {
  const cases: readonly [line: string, action: Action][] = [
    ["#say hello there", { verb: "say", text: "hello there" }],
    ["   #say indented", { verb: "say", text: "indented" }],
    ["#say", { verb: "say", text: "" }],
    ["#bash ls -la | wc", { verb: "bash", command: "ls -la | wc" }],
    ["#read  a b.txt ", { verb: "read", path: "a b.txt" }],
    ["#write a.txt one\\ntwo\\\\n", { verb: "write", path: "a.txt", content: "one\ntwo\\n" }],
    ["#write empty.txt", { verb: "write", path: "empty.txt", content: "" }],
    ["#slow 20 one two", { verb: "slow", delayMs: 20, text: "one two" }],
    ["#hang", { verb: "hang" }],
    ["#malformed", { verb: "malformed" }],
    ['#tool grep {"q":1}', { verb: "tools", calls: [{ name: "grep", input: { q: 1 } }] }],
    ["#tool list", { verb: "tools", calls: [{ name: "list", input: {} }] }],
    [
      '#tools [{"name":"a","input":{"x":1}},{"name":"b"}]',
      {
        verb: "tools",
        calls: [
          { name: "a", input: { x: 1 } },
          { name: "b", input: {} },
        ],
      },
    ],
  ];
  it.each(cases)("%s", (line, action) => {
    expect(parseScript(line)).toEqual([step(action)]);
  });
});

describe("a directive that cannot be read says so", () => {
  const bad = [
    "#slow fast words",
    "#bash ",
    "#read",
    "#write",
    "#tool",
    "#tool x {oops",
    "#tools {}",
    "#tools []",
    "#usage 5",
    "#cut x",
    "#status",
    "#status 200",
  ];
  it.each(bad)("%s", (line) => {
    const [only] = parseScript(line);
    expect(only?.action).toEqual({ verb: "mistake", text: `I cannot read this directive: ${line.trim()}` });
  });
});

describe("lines that shape the next answer", () => {
  it("belong to the directive that follows", () => {
    expect(parseScript("#think a\n#think b\n#usage 7 8\n#cut 2\n#say x\n#say y")).toEqual([
      step({ verb: "say", text: "x" }, { thoughts: ["a", "b"], usage: { input: 7, output: 8 }, cut: 2 }),
      step({ verb: "say", text: "y" }),
    ]);
  });
  it("shape the closing word when nothing follows", () => {
    expect(parseScript("#say x\n#think bye")).toEqual([
      step({ verb: "say", text: "x" }),
      step({ verb: "done" }, { thoughts: ["bye"] }),
    ]);
  });
  it("keep several failures in order", () => {
    expect(parseScript("#status 429 x2 after=3 slow down\n#status 500\n#say x")).toEqual([
      step(
        { verb: "say", text: "x" },
        {
          failures: [
            { status: 429, times: 2, retryAfter: 3, message: "slow down" },
            { status: 500, times: always },
          ],
        },
      ),
    ]);
  });
  it.each([
    ["#status 400 prompt is too long", { status: 400, times: always, message: "prompt is too long" }],
    ["#status 503 after=0 x1", { status: 503, times: 1, retryAfter: 0 }],
    ["#status 503 x1y after=z", { status: 503, times: always, message: "x1y after=z" }],
  ])("%s", (line, failure) => {
    expect(parseScript(line)).toEqual([step({ verb: "done" }, { failures: [failure] })]);
  });
});

describe("text that is no directive", () => {
  it.each(["", "hello", "# Title", "##say x", "#1 issue", "##unknown x", "text #say x", "#Say x", "#fix-it now"])(
    "%j gives no steps",
    (text) => {
      expect(parseScript(text)).toEqual([]);
    },
  );
  it("says which directives there are when a line begins with a word that is none", () => {
    const [first, second] = parseScript("#sayx y\n#say z");
    expect(first?.action).toMatchObject({
      verb: "mistake",
      text: expect.stringMatching(/#sayx\. There are #say, .*##sayx/),
    });
    expect(second?.action).toEqual({ verb: "say", text: "z" });
  });
  it("is skipped between directives", () => {
    expect(parseScript("Please:\r\n#say a\r\n##say no\r\nand\r\n#say b")).toEqual([
      step({ verb: "say", text: "a" }),
      step({ verb: "say", text: "b" }),
    ]);
  });
  it("loses its escape", () => {
    expect(plainText("##say x\n  ##y\na ##z")).toBe("#say x\n  #y\na ##z");
  });
});
