/**
 * A small agent: lines of JSON on its standard input and output, no model. Each line of a prompt is an order (`say`,
 * `think`, `slow`, `hang`, `run COMMAND`, `fail`, `usage IN OUT`, `big TIMES TEXT`). It asks before it runs a command.
 * `AGENT_LOG` names a file to which it appends whatever it is told.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const answers = new Map();
const turns = new Map();
const tell = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);

async function run(id, call, command, signal) {
  tell({ type: "call", id, call, tool: "run", input: { command } });
  const answer = await new Promise((resolve) => {
    answers.set(call, resolve);
    signal.addEventListener("abort", () => resolve({ allow: false }));
  });
  if (!answer.allow) return tell({ type: "result", id, call, error: answer.reason ?? "not allowed" });
  const child = spawn("sh", ["-c", answer.command ?? command], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  signal.addEventListener("abort", () => process.kill(-(child.pid ?? 0), "SIGKILL"));
  let output = "";
  child.stdout.on("data", (bytes) => (output += bytes));
  const code = await new Promise((resolve) => child.once("close", resolve));
  tell(code === 0 ? { type: "result", id, call, output } : { type: "result", id, call, error: `exit code ${code}` });
}

async function obey(id, orders, signal) {
  for (const [at, order] of orders.entries()) {
    signal.throwIfAborted();
    const [verb = "", ...words] = order.split(" ");
    const rest = order.slice(verb.length + 1);
    if (verb === "say") tell({ type: "text", id, text: rest });
    else if (verb === "big") tell({ type: "text", id, text: words[1].repeat(Number(words[0])) });
    else if (verb === "think") tell({ type: "thought", id, text: rest });
    else if (verb === "fail") throw new TypeError(rest);
    else if (verb === "usage") tell({ type: "usage", id, n: at, input: Number(words[0]), output: Number(words[1]) });
    else if (verb === "hang") await sleep(2 ** 30, null, { signal });
    else if (verb === "run") await run(id, `${id}-${at}`, rest, signal);
    else if (verb === "slow") for (const word of words) await slowly(id, word, signal);
    else tell({ type: "text", id, text: "noted" });
  }
}
const slowly = (id, word, signal) => sleep(20, tell({ type: "text", id, text: `${word} ` }), { signal });

async function prompt({ id, text }) {
  const stop = new AbortController();
  turns.set(id, stop);
  const end = await obey(id, text.split("\n"), stop.signal).then(
    () => ({ reason: "end" }),
    (cause) => ({ reason: stop.signal.aborted ? "cancelled" : "error", message: String(cause) }),
  );
  turns.delete(id);
  tell({ type: "done", id, ...end });
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n"); // not by node:readline, which ends lines at U+2028 too
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (process.env.AGENT_LOG) appendFileSync(process.env.AGENT_LOG, `${line}\n`);
    const record = JSON.parse(line);
    if (record.type === "prompt") void prompt(record); // never rejects
    if (record.type === "cancel") turns.get(record.id)?.abort();
    if (record.type === "answer") answers.get(record.call)?.(record);
  }
});
process.stdin.on("end", () => process.exit(0));
tell({ type: "commands", commands: ["say", "slow", "run"] }); // before it is ready, as some do
tell({ type: "ready", version: "1.0.0" });
