import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Conversation, Message } from "./conversation.ts";
import { plan } from "./plan.ts";
import { called, callsIn, conversation, offer, result, runTurn, said, textIn, user } from "./testing/conversations.ts";

const bash = [offer("bash", "command")];
const textFor = (messages: readonly Message[], tools = bash): string => textIn(plan(conversation(messages, tools)));
const stepFor = (messages: readonly Message[]) => {
  const { source, index, kind } = plan(conversation(messages, bash));
  return `${source} ${index} ${kind}`;
};
const intro = /scripted demo model/;

describe("a script", () => {
  const script = user("#bash one\n#bash two\n#say three");
  it("plays one line per request and then is done", () => {
    const start = [script, called("bash", "1"), result("1")];
    expect(callsIn(plan(conversation([script], bash)))).toEqual(['bash {"command":"one"}']);
    expect(callsIn(plan(conversation(start, bash)))).toEqual(['bash {"command":"two"}']);
    expect(textFor([...start, called("bash", "2"), result("2")])).toBe("three");
    expect(textFor([...start, called("bash", "2"), result("2"), said("three")])).toBe("done");
  });
  it("says done after its last call", () => {
    const { plans } = runTurn(conversation([user("#bash one")], bash), () => ({ text: "ok" }));
    expect(plans.map(textIn)).toEqual(["", "done"]);
  });
  it("is the newest message with directives", () => {
    expect(textFor([user("#say old\n#say older"), said("old"), user("#say new")])).toBe("new");
  });
  it("is not read from reminders and interrupt marks", () => {
    const wrapped = "<system-reminder>\n#say no\n</system-reminder>\n#say yes";
    expect(
      textFor([user(wrapped), user("[Request interrupted by user]"), user("<system-reminder>x</system-reminder>")]),
    ).toBe("yes");
  });
  it("gives reasoning and what follows in one response", () => {
    const { blocks } = plan(conversation([user("#think hm\n#bash ls")], bash)).answer;
    expect(blocks).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "call", name: "bash", input: '{"command":"ls"}' },
    ]);
  });
  it("gives several calls in one response", () => {
    expect(callsIn(plan(conversation([user('#tools [{"name":"a"},{"name":"b","input":{"x":1}}]')])))).toEqual([
      "a {}",
      'b {"x":1}',
    ]);
  });
  it.each(["#bash ls", "#read a", "#write a b"])("says when no tool fits %s", (line) => {
    expect(textFor([user(line)], [])).toMatch(/^I was offered no (shell|read|write) tool\.$/);
  });
});

describe("a message without directives after a script", () => {
  it("is noted once, in the next text, when it comes in the middle", () => {
    const middle = [user("#bash a\n#say b\n#say c"), called("bash"), result("bash"), user("hurry\nup")];
    expect(textFor(middle)).toBe("b (noted: hurry up)");
    expect(textFor([...middle, said("b (noted: hurry up)"), user("#say x")])).toBe("x");
    expect(textFor([...middle, said("b (noted: hurry up)")])).toBe("c");
  });
  it("waits for a response with text", () => {
    const start = [user("#bash a\n#bash b\n#say c"), called("bash", "1"), result("1"), user("##hey")];
    expect(textFor(start)).toBe("");
    expect(textFor([...start, called("bash", "2"), result("2"), user("you")])).toBe("c (noted: #hey) (noted: you)");
  });
  it("is noted by the closing word that is still owed", () => {
    const owed = [user("#bash a"), called("bash"), result("bash"), user("hi")];
    expect(textFor(owed)).toBe("done (noted: hi)");
    expect(textFor([...owed, said("done (noted: hi)"), user("and now?")])).toMatch(intro);
  });
  it("starts the demonstration when the script is over", () => {
    expect(textFor([user("#say a"), said("a"), user("hi")])).toMatch(intro);
    expect(textFor([user("#say a\n#say b"), said("a"), user("hi")])).toBe("b (noted: hi)");
  });
  it("passes a hang that nobody answered", () => {
    expect(stepFor([user("#hang\n#say x"), user("hello?")])).toBe("script 1 say");
    expect(stepFor([user("#hang\n#say x"), user("hello?"), said("x"), user("bye")])).toBe("demo 0 end");
    expect(stepFor([user("#hang"), user("hello?")])).toBe("demo 0 end");
  });
  it("does not pass a failure that is for ever", () => {
    expect(plan(conversation([user("#status 500\n#say x"), user("hello?")])).failures).toMatchObject([{ status: 500 }]);
  });
});

describe("failures", () => {
  const keyOf = (messages: readonly Message[]): string | undefined => plan(conversation(messages)).failures[0]?.key;
  const script = user("#status 500 x1\n#say a\n#status 500 x1\n#say b");
  it("have a key that retries keep and other places do not share", () => {
    expect(keyOf([script])).toBe(keyOf([script, user("steer")]));
    expect(keyOf([script])).not.toBe(keyOf([script, said("a")]));
    expect(keyOf([script])).not.toBe(keyOf([user("before"), said("x"), script]));
  });
});

describe("a request for a summary", () => {
  const quoted = "<conversation>\nUser: first\n\nAssistant: ok\nUser: #bash rm -rf x\nAssistant: done\n</conversation>";
  it("is answered and not obeyed", () => {
    const expected = "summary: 4 lines; last user line: User: #bash rm -rf x";
    expect(textFor([user(`${quoted}\nSummarize.`)])).toBe(expected);
    expect(textIn(plan({ system: quoted, messages: [user("#say go")], tools: [] }))).toBe(expected);
  });
  it("cuts the line and copes with an empty conversation", () => {
    const long = textFor([user(`<conversation>user: ${"x".repeat(500)}</conversation>`)]);
    expect(long).toBe(`summary: 1 lines; last user line: user: ${"x".repeat(194)}`);
    expect(textFor([user("<conversation></conversation>")])).toBe("summary: 0 lines; last user line:");
  });
  it("needs both ends of the mark", () => {
    expect(textFor([user("what is <conversation>?\n#say a tag")])).toBe("a tag");
  });
});

describe("any conversation", () => {
  const verbs = ["say", "think", "bash", "read", "write", "tool", "tools", "slow", "usage", "status", "cut", "hang"];
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.tuple(fc.constantFrom(...verbs), fc.string()).map(([verb, rest]) => `#${verb} ${rest}`),
    fc.constantFrom("#malformed", "##say x", "<conversation>", "</conversation>", "<system-reminder>"),
  );
  const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
  const id = fc.constantFrom("1", "2");
  const name = fc.constantFrom("ls", "read", "write", "bash", "__proto__");
  const message = fc.oneof(
    text.map(user),
    fc.record({ role: fc.constant("assistant" as const), text, calls: fc.array(fc.record({ id, name, input: text })) }),
    fc.record({
      role: fc.constant("tool" as const),
      results: fc.array(fc.record({ callId: id, text, failed: fc.boolean() })),
    }),
  );
  const properties = fc.dictionary(fc.constantFrom("path", "file_path", "command"), fc.constantFrom("string", "array"));
  const any: fc.Arbitrary<Conversation> = fc.record({
    system: text,
    messages: fc.array(message, { maxLength: 8 }),
    tools: fc.array(fc.record({ name, properties })),
  });

  it("gets the same plan twice, in this process or from its JSON, and never an exception", () => {
    fc.assert(
      fc.property(any, (given) => {
        const first = plan(given);
        expect(plan(structuredClone(given))).toEqual(first);
        expect(first.answer.blocks.length > 0 || first.answer.ending.type === "hang").toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  it("ends every turn of the demonstration", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (prompt, output, failed) => {
        const tools = [offer("ls"), offer("read"), offer("write")];
        const { plans } = runTurn(conversation([user(`say ${prompt}`)], tools), () => ({ text: output, failed }));
        expect(plans.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
