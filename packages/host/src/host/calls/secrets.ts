/**
 * The secrets of a data directory: API keys by agent, in `<data>/secrets.json`. Invariants: the file is readable by its
 * owner only; it is replaced whole, never written in place; changes are written one after the other, in call order.
 * Nothing here reaches the database, an event or a log.
 */
import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { AgentId } from "../../protocol/ids.ts";

type Content = { readonly apiKeys: Readonly<Record<AgentId, string>> };

export class Secrets {
  readonly #directory: string;
  #content: Content;
  #written: Promise<void> = Promise.resolve();

  private constructor(directory: string, content: Content) {
    this.#directory = directory;
    this.#content = content;
  }

  /** Rejects with `bad-secrets` when the file is there but cannot be understood: guessing would lose keys. */
  static async open(dataDir: string): Promise<Secrets> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return new Secrets(dataDir, await read(fileIn(dataDir)));
  }

  apiKey(agent: AgentId): string | null {
    return this.#content.apiKeys[agent] ?? null;
  }

  /** Durable when it resolves. Null forgets the key. */
  setApiKey(agent: AgentId, key: string | null): Promise<void> {
    const { [agent]: _, ...rest } = this.#content.apiKeys;
    this.#content = { apiKeys: key === null ? rest : { ...rest, [agent]: key } };
    const content = this.#content;
    const written = this.#written.then(() => replace(this.#directory, content));
    this.#written = written.catch(() => {}); // the caller hears of it; the next change writes everything again
    return written;
  }
}
const fileIn = (directory: string): string => join(directory, "secrets.json");

async function read(file: string): Promise<Content> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw cause;
  });
  if (text === null) return { apiKeys: {} };
  await chmod(file, 0o600);
  try {
    const apiKeys: unknown = (JSON.parse(text) as { apiKeys?: unknown } | null)?.apiKeys ?? {};
    return {
      apiKeys: Object.fromEntries(Object.entries(apiKeys as object).filter(([, key]) => typeof key === "string")),
    };
  } catch (cause) {
    throw new MooringError(
      "bad-secrets",
      `${file} is not valid JSON (${messageOf(cause)}). Repair it or move it away.`,
    );
  }
}
/** A new file beside the old one, flushed, then renamed over it. */
async function replace(directory: string, content: Content): Promise<void> {
  const fresh = join(directory, ".secrets.json.new");
  const file = await open(fresh, "w", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, fileIn(directory));
}
