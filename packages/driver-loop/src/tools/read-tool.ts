/** `read`: a stretch of a text file. Never holds more of the file than it returns. */
import { type FileHandle, open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { z } from "zod";
import { limits } from "../limits.ts";
import { containedPath } from "./contained-path.ts";
import { defineTool } from "./loop-tool.ts";
import { checkRegular } from "./regular-file.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

export const readTool = defineTool({
  name: "read",
  category: "read",
  description:
    `Reads a text file of the workspace. Returns at most ${limits.readLines} lines or ${limits.readBytes} bytes; ` +
    "for more, call again with the offset it names.",
  inputSchema: z.object({
    path: z.string().min(1).describe("The file, relative to the workspace or absolute."),
    offset: z.number().int().min(1).optional().describe("First line to return, counted from 1."),
    limit: z.number().int().min(1).optional().describe("Number of lines to return."),
  }),
  async paths({ path }, place) {
    return [await containedPath(place, path, "read")];
  },
  async run({ path, offset = 1, limit = limits.readLines }, context) {
    const file = await containedPath(context, path, "read");
    await checkRegular(file, path);
    const handle = await open(file, "r").catch((cause: unknown) => {
      throw fileFailure(path, cause);
    });
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw new ToolFailure(`${path} is a directory: use ls.`);
      if (!stats.isFile()) throw new ToolFailure(`${path} is not a regular file.`);
      return await readLines(handle, path, { offset, limit: Math.min(limit, limits.readLines) }, context.signal);
    } catch (cause) {
      if (context.signal.aborted) throw cause;
      throw fileFailure(path, cause);
    } finally {
      await handle.close();
    }
  },
});

type Range = { readonly offset: number; readonly limit: number };

async function readLines(handle: FileHandle, path: string, range: Range, signal: AbortSignal): Promise<string> {
  const window = new LineWindow(range);
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.alloc(65_536);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.includes(0)) throw new ToolFailure(`${path} is a binary file.`);
    if (bytesRead === 0) {
      window.take(decoder.end());
      return window.text(path, false);
    }
    if (!window.take(decoder.write(bytes))) return window.text(path, true);
  }
}

/** Keeps the lines of the range as text passes by. */
class LineWindow {
  readonly #range: Range;
  /** Number of the line the next character belongs to. */
  #line = 1;
  #text = "";
  #bytes = 0;
  #cutInLine = false;

  constructor(range: Range) {
    this.#range = range;
  }

  /** False when the window is full and more text follows. */
  take(text: string): boolean {
    const end = this.#range.offset + this.#range.limit;
    let from = 0;
    while (from < text.length) {
      if (this.#line >= end || this.#cutInLine) return false;
      const newline = text.indexOf("\n", from);
      const to = newline === -1 ? text.length : newline + 1;
      if (this.#line >= this.#range.offset) this.#add(text.slice(from, to));
      if (newline !== -1 && !this.#cutInLine) this.#line++;
      from = to;
    }
    return true;
  }

  #add(piece: string): void {
    const room = limits.readBytes - this.#bytes;
    const bytes = Buffer.byteLength(piece);
    this.#cutInLine = bytes > room;
    // Decoding a cut in the middle of a character would leave a replacement character behind.
    this.#text += this.#cutInLine ? new StringDecoder("utf8").write(Buffer.from(piece).subarray(0, room)) : piece;
    this.#bytes += Math.min(bytes, room);
  }

  text(path: string, isMore: boolean): string {
    const { offset } = this.#range;
    if (this.#text === "" && !isMore) {
      const lines = this.#line - 1;
      return offset === 1 ? `[${path} is empty]` : `[${path} ends before line ${offset}: it has ${lines} line breaks]`;
    }
    if (!isMore) return this.#text;
    const separator = this.#text.endsWith("\n") ? "" : "\n";
    const why = this.#cutInLine ? `line ${this.#line} is cut at the size limit` : "more lines follow";
    const next = this.#cutInLine && this.#line === offset ? this.#line + 1 : this.#line;
    return `${this.#text}${separator}[${why}: read on with offset ${next}]`;
  }
}
