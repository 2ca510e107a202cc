/**
 * The friendly demonstration: what a prompt without directives gets. It lists the folder, reads one file, leaves a
 * note and says what to try next, with the tools that are offered and never a shell.
 * Invariants: pure; each tool is called at most once per prompt, so the demonstration always ends; a refusal or an
 * error is mentioned and passed over.
 */
import { type Answer, answerOf, notedText, type PlannedBlock, textBlock } from "./answer.ts";
import { type Message, type OfferedTool, promptsOf, type ToolCall, type ToolResult } from "./conversation.ts";
import { plainText } from "./script.ts";
import { doesJob, type Job, listCall, type PlannedCall, readCall, toolFor, writeCall } from "./tool-calls.ts";
import { firstLineOf, listedNames, textFileIn, wentWrong } from "./tool-text.ts";

const noteFile = "mooring-demo.md";
/** The sentence that tells a later prompt of the same conversation that the introduction was made. */
const introduction = "I am Mooring's scripted demo model";
const maxQuotedPrompt = 600;
const maxListed = 8;

export interface DemoPlan {
  readonly index: number;
  /** The tool job of this response, or `end`. */
  readonly kind: Job | "end";
  readonly answer: Answer;
}

interface Scene {
  readonly tools: readonly OfferedTool[];
  readonly prompt: string;
  /** Messages without directives that arrived while the demonstration ran. */
  readonly notes: readonly string[];
  /** Responses given since the prompt. */
  readonly index: number;
  /** An earlier prompt already got the demonstration. */
  readonly again: boolean;
  readonly list: Outcome;
  readonly read: Outcome;
  readonly write: Outcome;
  /** The last tool went wrong. */
  readonly trouble: boolean;
}

type Outcome =
  | { readonly state: "untried" }
  | { readonly state: "failed" }
  | { readonly state: "worked"; readonly text: string };

function outcomeOf(job: Job, calls: readonly ToolCall[], results: readonly ToolResult[]): Outcome {
  const call = calls.find((made) => doesJob(made.name, job));
  if (call === undefined) return { state: "untried" };
  const result = results.find((given) => given.callId === call.id);
  return result === undefined || wentWrong(result) ? { state: "failed" } : { state: "worked", text: result.text };
}

/** Whether the tools were at work when the message at `at` arrived. */
function arrivedMidTurn(messages: readonly Message[], at: number): boolean {
  return messages.slice(0, at).findLast((message) => message.role !== "user")?.role === "tool";
}

function sceneOf(messages: readonly Message[], tools: readonly OfferedTool[], from: number): Scene {
  const prompts = promptsOf(messages).filter((prompt) => prompt.at >= from);
  const anchor = prompts.findLast((prompt) => !arrivedMidTurn(messages, prompt.at)) ?? prompts.at(-1);
  const start = anchor?.at ?? messages.length - 1;
  const since = messages.slice(start + 1);
  const answers = since.filter((message) => message.role === "assistant");
  const calls = answers.flatMap((message) => message.calls);
  const results = since.flatMap((message) => (message.role === "tool" ? message.results : []));
  const answered = messages.findLastIndex((message) => message.role === "assistant");
  const last = messages.findLast((message) => message.role === "tool");
  return {
    tools,
    prompt: plainText(anchor?.text ?? ""),
    notes: prompts.filter(({ at }) => at > start && at > answered).map(({ text }) => plainText(text)),
    index: answers.length,
    again: messages.slice(0, Math.max(start, 0)).some(introduces),
    list: outcomeOf("list", calls, results),
    read: outcomeOf("read", calls, results),
    write: outcomeOf("write", calls, results),
    trouble: results.length > 0 && last !== undefined && last.results.some(wentWrong),
  };
}

const introduces = (message: Message): boolean => message.role === "assistant" && message.text.includes(introduction);

const namesIn = (scene: Scene): string[] => (scene.list.state === "worked" ? listedNames(scene.list.text) : []);

/** What may be called next, in order; the first one offered and untried is. */
function nextCall(scene: Scene): { job: Job; call: PlannedCall; about: string } | undefined {
  const { tools } = scene;
  const list = scene.list.state === "untried" ? listCall(tools) : undefined;
  if (list) return { job: "list", call: list, about: "First I list the files here." };
  const file = textFileIn(namesIn(scene));
  const read = scene.read.state === "untried" && file !== undefined ? readCall(tools, file) : undefined;
  if (read) return { job: "read", call: read, about: `${foundText(scene)} I read \`${file}\`.` };
  const write =
    scene.write.state === "untried" && !scene.again ? writeCall(tools, noteFile, noteText(scene)) : undefined;
  if (write) return { job: "write", call: write, about: `I leave a short note in \`${noteFile}\`.` };
  return undefined;
}

function foundText(scene: Scene): string {
  const total = namesIn(scene).length;
  return total === 1 ? "There is one entry here." : `There are ${total} entries here.`;
}

/** `a, b and c`. */
const enumerate = (items: readonly string[]): string =>
  [items.slice(0, -1).join(", "), ...items.slice(-1)].filter((item) => item !== "").join(" and ");

function introText(scene: Scene): string {
  if (scene.index > 0) return "";
  if (scene.again) return "Once more, shorter this time.";
  const offered = (["list", "read", "write"] as const).filter((job) => toolFor(scene.tools, job) !== undefined);
  const words = { list: "list this folder", read: "read one file", write: `write \`${noteFile}\`` };
  const aim =
    offered.length === 0
      ? "I was offered no file tools, so I can only talk."
      : `To show how a session looks I will ${enumerate(offered.map((job) => words[job]))}.`;
  return `Hello! ${introduction}: I need no key and no network. ${aim}`;
}

const troubleText = (scene: Scene): string =>
  scene.trouble ? "That tool call was refused or failed; that is quite all right, I go on without it." : "";

/** Every response has text, so what arrived since the last one is noted in this one. */
const joined = (scene: Scene, ...texts: readonly string[]): PlannedBlock =>
  textBlock([...texts, notedText(scene.notes)].filter((text) => text !== "").join(" "));

function readLine(scene: Scene): string {
  const file = textFileIn(namesIn(scene));
  return scene.read.state === "worked" && file !== undefined
    ? `${file} begins with: ${firstLineOf(scene.read.text)}`
    : "";
}

function noteText(scene: Scene): string {
  const names = namesIn(scene);
  const listed = `${names.slice(0, maxListed).join(", ")}${names.length > maxListed ? ", …" : ""}`;
  const found = [names.length > 0 ? `Files here: ${listed}` : "", readLine(scene)].filter((line) => line !== "");
  const quote = scene.prompt
    .slice(0, maxQuotedPrompt)
    .split("\n")
    .map((line) => `> ${line}`);
  return [
    "# A note from Mooring's demo model",
    "",
    "You asked:",
    "",
    ...quote,
    "",
    "What I found:",
    "",
    ...(found.length > 0 ? found : ["Nothing: I could not look around."]).map((line) => `- ${line}`),
    "",
    "No key and no network were used. You can delete this file.",
    "",
  ].join("\n");
}

function recap(scene: Scene): string {
  const did = [
    scene.list.state === "worked" ? "listed the files" : "",
    scene.read.state === "worked" ? `read a file (${readLine(scene)})` : "",
    scene.write.state === "worked" ? `wrote \`${noteFile}\`` : "",
  ].filter((part) => part !== "");
  return did.length === 0 ? "That was the demonstration." : `That was the demonstration: I ${enumerate(did)}.`;
}

const nextSteps = `What you can try next:

1. Write lines that begin with \`#\`. The model plays them in order, one per answer:

   \`\`\`
   #say Hello from a script
   #slow 200 these words arrive one by one
   #read README.md
   \`\`\`

2. Use a real model:

   \`\`\`
   mooring agents add NAME --driver loop --provider anthropic --model M --api-key-env VAR
   \`\`\``;

function endBlock(scene: Scene): PlannedBlock {
  const opening = joined(scene, introText(scene), troubleText(scene), recap(scene));
  if (scene.again || opening.type !== "text") return opening;
  return textBlock(`${opening.text}\n\n${nextSteps}`);
}

/** The next response of the demonstration. Prompts before the message index `from` belong to a finished script. */
export function planDemo(messages: readonly Message[], tools: readonly OfferedTool[], from: number): DemoPlan {
  const scene = sceneOf(messages, tools, from);
  const next = nextCall(scene);
  if (next === undefined) return { index: scene.index, kind: "end", answer: answerOf(endBlock(scene)) };
  const text = joined(scene, introText(scene), troubleText(scene), next.about);
  return { index: scene.index, kind: next.job, answer: answerOf(text, { type: "call", ...next.call }) };
}
