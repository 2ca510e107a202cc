/** A response that is no success, as an error. Total: whatever the body is, something is said. */
import { limits } from "./limits.ts";
import { ProblemError, type Retry } from "./problem-error.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Of RFC 9457, and of ours that have a place of their own. The rest is detail. */
const known = ["type", "title", "status", "detail", "instance", "code", "retry"];

export async function readProblem(response: Response): Promise<ProblemError> {
  const { status, statusText, headers } = response;
  const fields = await fieldsOf(response);
  const retryAfterMs = retryAfter(headers.get("retry-after"), Date.now());
  const message = textIn(fields, "detail") ?? textIn(fields, "title") ?? `HTTP ${status} ${statusText}`.trim();
  const code = textIn(fields, "code") ?? `http-${status}`;
  const detail = Object.fromEntries(Object.entries(fields).filter(([name]) => !known.includes(name)));
  return new ProblemError(message, { code, status, retry: retryIn(fields) ?? retryOf(status), retryAfterMs, detail });
}

async function fieldsOf(response: Response): Promise<Fields> {
  if (!/^application\/(problem\+)?json\b/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return {};
  }
  try {
    const value: unknown = JSON.parse(await textOf(response));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {}; // cut off, or not JSON
  }
}

/** Empty when it is past the limit: that is no problem document. */
async function textOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (text.length <= limits.problemChars) continue;
    await reader?.cancel();
    return "";
  }
  return text;
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : null;
}
function retryIn(fields: Fields): Retry | null {
  const { retry } = fields;
  return retry === "never" || retry === "later" || retry === "now" ? retry : null;
}
/** Statuses a later try may mend, when the body says nothing. */
const retryOf = (status: number): Retry => (status >= 500 || [408, 425, 429].includes(status) ? "later" : "never");

/** `Retry-After` in ms from now: seconds, or a date. */
export function retryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.round(seconds * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
