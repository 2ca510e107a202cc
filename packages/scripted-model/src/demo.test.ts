import { describe, expect, it } from "vitest";
import type { Message, OfferedTool, ToolCall } from "./conversation.ts";
import type { Plan } from "./plan.ts";
import { callsIn, conversation, fileTools, offer, runTurn, textIn, user } from "./testing/conversations.ts";

const files: Readonly<Record<string, string>> = {
  ls: "src/\npackage.json\nREADME.md",
  read: "# A fine project\n\nIt floats.",
  write: "written",
};
const works = (call: ToolCall) => ({ text: files[call.name] ?? "" });

function demo(prompt: string, tools: readonly OfferedTool[] = fileTools, run: typeof works = works) {
  return runTurn(conversation([user(prompt)], tools), run);
}

const kinds = (plans: readonly Plan[]): string[] => plans.map((planned) => planned.kind);
const lastText = (plans: readonly Plan[]): string => textIn(plans.at(-1) ?? plans[0] ?? fail());
const fail = (): never => expect.fail("no plan");

describe("the demonstration", () => {
  it("lists, reads, writes and ends", () => {
    const { plans } = demo("What is this?");
    expect(kinds(plans)).toEqual(["list", "read", "write", "end"]);
    expect(plans.flatMap(callsIn).slice(0, 2)).toEqual(['ls {"path":"."}', 'read {"path":"README.md"}']);
  });
  it("says what it is before its first call", () => {
    const [first] = demo("hi").plans;
    expect(first && textIn(first)).toBe(
      "Hello! I am Mooring's scripted demo model: I need no key and no network. To show how a session looks I will " +
        "list this folder, read one file and write `mooring-demo.md`. First I list the files here.",
    );
  });
  it("quotes the prompt and what it found in its note", () => {
    const call = demo("What is this?\n##say it").plans.flatMap(callsIn).at(-1) ?? "";
    const input: unknown = JSON.parse(call.slice("write ".length));
    expect(input).toEqual({ path: "mooring-demo.md", content: expect.any(String) });
    expect(input).toHaveProperty("content", expect.stringContaining("> What is this?\n> #say it\n"));
    expect(input).toHaveProperty("content", expect.stringContaining("- Files here: src/, package.json, README.md\n"));
    expect(input).toHaveProperty("content", expect.stringContaining("- README.md begins with: # A fine project\n"));
  });
  it("ends with what to try next", () => {
    const text = lastText(demo("hi").plans);
    expect(text).toContain("I listed the files, read a file (README.md begins with: # A fine project) and wrote");
    expect(text).toContain("#say Hello");
    expect(text).toContain("mooring agents add NAME --driver loop --provider anthropic --model M --api-key-env VAR");
  });
});

describe("tools that are missing", () => {
  it.each([
    ["all", [], ["end"]],
    ["ls", [offer("read"), offer("write")], ["write", "end"]],
    ["read", [offer("ls"), offer("write")], ["list", "write", "end"]],
    ["write", [offer("ls"), offer("read")], ["list", "read", "end"]],
    ["all but a shell", [offer("bash", "command")], ["end"]],
  ])("%s: its step is skipped", (_, tools, expected) => {
    expect(kinds(demo("hi", tools).plans)).toEqual(expected);
  });
  it("still introduces itself and shows the way", () => {
    const text = lastText(demo("hi", []).plans);
    expect(text).toMatch(/^Hello! I am Mooring's scripted demo model.*so I can only talk/);
    expect(text).toContain("mooring agents add");
  });
});

describe("tools that fail or are denied", () => {
  it("are mentioned and passed over", () => {
    const { plans } = demo("hi", fileTools, () => ({ text: "denied by the user", failed: true }));
    expect(kinds(plans)).toEqual(["list", "write", "end"]);
    expect(plans.slice(1).map(textIn)).toEqual([
      expect.stringContaining("refused or failed; that is quite all right"),
      expect.stringContaining("That was the demonstration."),
    ]);
  });
  it("are not mentioned again after one that worked", () => {
    const { plans } = demo("hi", fileTools, (call) => ({ text: works(call).text, failed: call.name === "read" }));
    expect(plans.map((planned) => textIn(planned).includes("refused"))).toEqual([false, false, true, false]);
  });
});

describe("another prompt", () => {
  const again = (messages: readonly Message[], text: string) =>
    runTurn(conversation([...messages, user(text)], fileTools), works).plans;
  it("gets it again, but shorter", () => {
    const plans = again(demo("hi").messages, "and again");
    expect(kinds(plans)).toEqual(["list", "read", "end"]);
    expect(plans.map((planned) => planned.index)).toEqual([0, 1, 2]);
    expect(plans[0] && textIn(plans[0])).toMatch(/^Once more, shorter/);
    expect(lastText(plans)).not.toContain("mooring agents add");
  });
  it("gets it in full after a script", () => {
    const script = runTurn(conversation([user("#say a")], fileTools), works);
    expect(kinds(again(script.messages, "hi"))).toEqual(["list", "read", "write", "end"]);
  });
  it("is noted when it comes while the tools work", () => {
    const { messages } = demo("hi");
    const steered = [...messages.slice(0, 3), user("be quick")];
    const { plans } = runTurn(conversation(steered, fileTools), works);
    expect(kinds(plans)).toEqual(["read", "write", "end"]);
    expect(plans.map((planned) => textIn(planned).includes("(noted: be quick)"))).toEqual([true, false, false]);
  });
});
