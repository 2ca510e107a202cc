/** A registry on loopback with one package, for npm itself: what it is asked for is kept, and its file may hang. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

export type PackageFiles = {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
};

export class NpmRegistry {
  /** Resolves when npm asked for the package's file. */
  readonly asked: Promise<void>;
  readonly #server: Server;

  private constructor(server: Server, asked: Promise<void>) {
    this.#server = server;
    this.asked = asked;
  }
  /** `directory`: for the file. `hangs`: the file begins and never ends. */
  static async open(directory: string, offered: PackageFiles, { hangs = false } = {}): Promise<NpmRegistry> {
    const bytes = await readFile(await packed(directory, offered));
    const asked = Promise.withResolvers<void>();
    const sendFile = (answer: ServerResponse): void => {
      asked.resolve();
      answer.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes.length });
      if (hangs) answer.write(bytes.subarray(0, bytes.length / 2));
      else answer.end(bytes);
    };
    const server = createServer(({ url = "", headers }, answer) => {
      if (url.endsWith(".tgz")) sendFile(answer);
      else if (decodeURIComponent(url) === `/${offered.name}`) answer.end(document(offered, headers.host ?? ""));
      else answer.writeHead(404).end("{}");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new NpmRegistry(server, asked.promise);
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function packed(directory: string, { name, version, files }: PackageFiles): Promise<string> {
  const [folder, file] = [join(directory, "package"), join(directory, "package.tgz")];
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name, version, type: "module", main: "sdk.mjs" }));
  await promisify(execFile)("tar", ["-czf", file, "-C", directory, "package"]);
  return file;
}
const document = ({ name, version }: PackageFiles, host: string): string =>
  JSON.stringify({
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { name, version, main: "sdk.mjs", dist: { tarball: `http://${host}/package.tgz` } } },
  });
