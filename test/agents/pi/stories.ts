/** What the 50 session files are made of: steps that each put something of their own into a session, and rows of them. */
import type { Json } from "./pi-package.ts";
import type { Writer } from "./writer.ts";

type Step = (writer: Writer) => Promise<void> | void;
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", data: pixel, mimeType: "image/png" };
const zero = { input: 3, output: 0, cacheRead: 5, cacheWrite: 0, totalTokens: 8 };
const usage: Json = { ...zero, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
/** Back to the first thing said: what follows is another branch. */
const leave =
  (options: Json): Step =>
  async (writer) => {
    const [first] = writer.messages("user");
    writer.faux.setResponses([writer.answer("We went another way.")]);
    if (first) await writer.session.navigateTree(first.id, options);
  };
const last = (writer: Writer, role: string): string => writer.messages(role).at(-1)?.id ?? "";

export const steps = {
  say: (writer) => writer.ask([writer.answer()]),
  think: (writer) => writer.ask([writer.answer([writer.pi.fauxThinking("Hm."), writer.pi.fauxText("So.")])]),
  oddWords: (writer) => writer.ask([writer.answer('a\u2028b\u2029c \u{1F6F6} \\ " \u0001 e\u0301')]),
  image: (writer) => writer.ask([writer.answer()], { images: [image] }),
  tool: (writer) => writer.ask([writer.calls(["echo", { text: "x" }]), writer.answer()]),
  twoTools: (writer) => writer.ask([writer.calls(["echo", { text: "x" }], ["fail", { text: "y" }]), writer.answer()]),
  noteInTool: (writer) => writer.ask([writer.calls(["echo", { text: "1" }], ["note", { text: "n" }]), writer.answer()]),
  stopInTool: (writer) => writer.ask([writer.calls(["wait", {}]), writer.answer()]),
  stopInAnswer: (writer) => writer.ask([writer.stopped]),
  retry: (writer) =>
    writer.ask([writer.answer("", { stopReason: "error", errorMessage: "overloaded_error" }), writer.answer()]),
  failed: (writer) => writer.ask([writer.answer("", { stopReason: "error", errorMessage: "invalid key" })]),
  cutShort: (writer) => writer.ask([writer.answer("Too lo", { stopReason: "length" })]),
  followUp: (writer) =>
    writer.ask([
      async () => {
        await writer.session.followUp(writer.words("And"));
        return writer.answer();
      },
      writer.answer(),
    ]),
  compact: async (writer) => {
    await writer.ask([writer.answer()]);
    writer.faux.setResponses([writer.answer("In short."), writer.answer("In short.")]);
    await writer.session.compact();
  },
  compactAll: (writer) => {
    writer.manager.appendCompaction("All of it.", null, 900, { files: ["a.ts"] }, true);
  },
  leave: leave({}),
  leaveSummed: leave({ summarize: true, label: "turned" }),
  leaveUnder: (writer) => {
    writer.manager.branchWithSummary(last(writer, "user"), "By hand.", { by: ["test"] }, true);
  },
  secondRoot: (writer) => writer.manager.resetLeaf(),
  label: (writer) => {
    writer.manager.appendLabelChange(last(writer, "user"), "here");
  },
  unlabel: (writer) => {
    const target = last(writer, "user");
    writer.manager.appendLabelChange(target, "gone soon");
    writer.manager.appendLabelChange(target, undefined);
  },
  name: (writer) => writer.session.setSessionName(writer.words("Named")),
  unname: (writer) => {
    writer.session.setSessionName("For a while");
    writer.session.setSessionName("");
  },
  model: async (writer) => {
    await writer.session.setModel(writer.faux.getModel("small"));
    await writer.session.setModel(writer.faux.getModel("big"));
  },
  thinkingLevel: (writer) => writer.session.setThinkingLevel("high"),
  bash: async (writer) => {
    await writer.session.executeBash("echo out; echo err >&2; exit 3");
    await writer.session.executeBash("echo unseen", undefined, { excludeFromContext: true });
  },
  customMessage: (writer) =>
    writer.session.sendCustomMessage({ customType: "t", content: "mind", display: false, details: { n: 1 } }),
  customImage: (writer) => {
    writer.manager.appendCustomMessageEntry("t", [{ type: "text", text: "see" }, image], true);
  },
  customRole: (writer) => {
    const said = { customType: "t", content: [{ type: "text", text: "from outside" }], display: true };
    writer.manager.appendMessage({ role: "custom", ...said, timestamp: 1 });
  },
  customEntry: (writer) => {
    writer.manager.appendCustomEntry("t", { deep: [1, { x: null }], text: "\u2028" });
    writer.manager.appendCustomEntry("bare");
  },
  usage: (writer) => {
    writer.manager.appendUsage("cache_warm", "faux", "big", usage, "kept warm");
  },
  editOut: (writer) => {
    writer.manager.appendContextEdit(last(writer, "assistant"), null);
  },
  editIn: (writer) => {
    writer.manager.appendContextEdit(last(writer, "user"), { content: "Another question" });
  },
} satisfies Record<string, Step>;
type StepName = keyof typeof steps;
const names = Object.keys(steps) as StepName[];

/** `as`: what becomes of the file afterwards. */
export type Story = {
  readonly name: string;
  readonly steps: readonly StepName[];
  readonly as: "written" | "version-1" | "version-2" | "cut" | "from-the-future" | "mid-tool" | "child";
};
const story = (name: string, row: readonly StepName[], as: Story["as"] = "written"): Story => ({
  name: `${as}: ${name}`,
  steps: row,
  as,
});
const linear: readonly StepName[] = ["say", "tool", "compact", "customMessage", "thinkingLevel", "say", "name"];

/** Steps in an order that is the same each time: a linear congruence from the walk's number. */
function walk(seed: number): readonly StepName[] {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const taken = Array.from({ length: 9 }, () => names[next(names.length)] ?? "say");
  return [...taken.flatMap((name): StepName[] => ["say", name]), "say"];
}

export const stories: readonly Story[] = [
  ...names.map((name) => story(name, ["say", name, "say"])),
  ...[1, 2, 3, 4, 5, 6].map((seed) => story(`walk ${seed}`, walk(seed))),
  ...[1, 2].map((version) => story("plain", linear, version === 1 ? "version-1" : "version-2")),
  story("branches", ["say", "customRole", "leave", "say", "customRole", "label"], "version-2"),
  story("compacted twice", ["say", "compact", "tool", "compact", "say"], "version-1"),
  story("named where nobody is any more", ["say", "name", "leave", "say"]),
  story("after a stop", ["say", "stopInTool"], "cut"),
  story("a call without its result", ["say", "tool"], "mid-tool"),
  story("its parent is another", ["say"], "child"),
  story("kinds nobody knows", ["say", "leave", "tool"], "from-the-future"),
  story("at the end", ["noteInTool"], "mid-tool"),
  story("among a walk's", walk(7), "from-the-future"),
];
