/**
 * The web page's built files. Invariants: only files that were there when they were first asked for are served, by their
 * exact names; nothing of a request becomes a path on the disk; an address of the page's own views gets its document.
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export type PageFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null: it does not get smaller. */
  readonly zipped: Uint8Array<ArrayBuffer> | null;
  readonly headers: Readonly<Record<string, string>>;
};
export type PageFiles = {
  /** By the address's path; null: there is none. */
  find(path: string): Promise<PageFile | null>;
};

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Only what comes from this server runs, is asked, or is shown. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
/** Where the page has something. */
export const pagePaths = ["/", "/sessions/:session", "/approvals", "/agents", "/usage", "/assets/:file", "/icon.svg"];
const views = /^\/(?:sessions\/[^/]+|approvals|agents|usage)?$/;
/** Names of assets carry a hash of what is in them. */
const yearSeconds = 31_536_000;

export function pageFiles(directory: string): PageFiles {
  let read: Promise<ReadonlyMap<string, PageFile>> | null = null;
  return {
    async find(path) {
      read ??= readPage(directory);
      const files = await read;
      return files.get(views.test(path) ? "/index.html" : path) ?? null;
    },
  };
}

async function readPage(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(directory, { recursive: true }).catch((): string[] => []);
  const files = names.filter((name) => Object.hasOwn(types, extname(name)));
  const read = files.map(async (name) => [`/${name.split(sep).join("/")}`, await pageFile(directory, name)] as const);
  return new Map(await Promise.all(read));
}
async function pageFile(directory: string, name: string): Promise<PageFile> {
  const bytes = await readFile(join(directory, name));
  const zipped = await promisify(gzip)(bytes);
  const isAsset = name.startsWith(`assets${sep}`);
  const headers = {
    "content-type": types[extname(name)] ?? "application/octet-stream",
    "content-security-policy": policy,
    "cache-control": isAsset ? `private, max-age=${yearSeconds}, immutable` : "no-cache",
    vary: "accept-encoding",
  };
  return { bytes, zipped: zipped.length < bytes.length ? zipped : null, headers };
}
