/** Headers of every answer: a browser keeps no copy, guesses no type, runs nothing, and shows it in no other page. */
import type { Gate } from "./gate.ts";

const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export const headersGate: Gate = () => (c, next) => {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return next();
};
