/** Addresses a server listens on, and how they are written in a URL. Pure. */
import { isIPv4, isIPv6 } from "node:net";

/** Only this computer reaches it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** Where this computer reaches a server that listens there: every address is also the loopback one. */
export function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The names in `Host` that pages and proxies of these origins send. */
export const hostsOf = (origins: readonly string[]): readonly string[] => origins.map((origin) => new URL(origin).host);
