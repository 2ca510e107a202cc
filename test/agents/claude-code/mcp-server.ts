/**
 * An MCP server on stdio, by hand: its tools write a line `TOOL TEXT` to the file NOTES, and it writes `listed` there when
 * it told its tools. With GATE, the name of a named pipe, it answers nothing until somebody wrote there; with SLOW_MS not
 * before so many milliseconds. Run by Claude Code, never imported.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

type Message = {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: { text?: string };
  };
};

const { NOTES = "", GATE, SLOW_MS = "0" } = process.env;
const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const tools = ["look", "add", "drop"].map((name) => ({ name, description: `Notes: ${name}`, inputSchema }));

function answerTo({ method, params = {} }: Message): unknown {
  switch (method) {
    case "initialize": {
      const { protocolVersion } = params;
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1.0.0" } };
    }
    case "tools/list":
      return { tools };
    case "tools/call": {
      const { name, arguments: { text } = {} } = params;
      appendFileSync(NOTES, `${name} ${text}\n`);
      return { content: [{ type: "text", text: `noted ${text}` }] };
    }
    default:
      return {};
  }
}

if (GATE !== undefined) readFileSync(GATE);
await wait(Number(SLOW_MS));
for await (const line of createInterface({ input: process.stdin })) {
  const message: Message = JSON.parse(line);
  if (message.id === undefined) continue; // a notification
  console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answerTo(message) }));
  if (message.method === "tools/list") appendFileSync(NOTES, "listed\n");
}
