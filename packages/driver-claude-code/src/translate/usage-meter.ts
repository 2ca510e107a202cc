/**
 * Tokens of each model request, told once. Streamed requests are told when their final figures come; all others (of
 * sub-agents, and those that were not streamed) are told together when the turn ends, as the difference between the
 * agent's figures and what was told. Invariant: figures are differences; the agent's cumulative totals never are used.
 */
import type { TokenUsage, UsageReport } from "@mooring/host/driver";
import { type Fields, type Frame, fieldsOf, numberIn, textIn } from "./frames.ts";

type Request = {
  readonly id: string;
  readonly model: string;
  readonly firstTokenMs: number | null;
  readonly beganAt: number;
};
const none: TokenUsage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
/** Requests remembered as told. */
const remembered = 1_000;

export class UsageMeter {
  #request: Request | null = null;
  readonly #told = new Set<string>();
  /** Told since the last result, by model. */
  readonly #since = new Map<string, TokenUsage>();

  /** `at`: milliseconds of a clock that never goes back. */
  stream(frame: Frame, at: number): UsageReport[] {
    const event = fieldsOf(frame["event"]);
    if (event["type"] === "message_start") this.#request = this.#begun(frame, fieldsOf(event["message"]), at);
    if (event["type"] !== "message_delta" || this.#request === null) return [];
    const { id, model, firstTokenMs, beganAt } = this.#request;
    if (this.#told.has(id)) return [];
    this.#remember(id);
    const tokens = tokensOf(fieldsOf(event["usage"]), requestNames);
    this.#since.set(model, sum(this.#since.get(model) ?? none, tokens));
    const requestId = `claude-code:${textIn(frame, "session_id")}:${id}`;
    return [{ requestId, model, tokens, timing: { firstTokenMs, totalMs: Math.round(at - beganAt) }, cost: null }];
  }

  /** What the turn used beyond what was told, and what it cost. */
  settle(result: Frame): UsageReport[] {
    const models = Object.entries(fieldsOf(result["model_usage_since_last_result"]));
    const reports = models.flatMap(([model, figures]) => this.#rest(result, model, fieldsOf(figures)));
    this.#since.clear();
    return reports;
  }

  #rest(result: Frame, model: string, figures: Fields): UsageReport[] {
    const tokens = difference(tokensOf(figures, modelNames), this.#since.get(model) ?? none);
    const amount = numberIn(figures, "costUSD") ?? 0;
    if (amount <= 0 && Object.values(tokens).every((count) => count === 0)) return [];
    const requestId = `claude-code:${textIn(result, "session_id")}:${textIn(result, "uuid")}:${model}`;
    const cost = amount > 0 ? { amount, currency: "USD" } : null;
    return [{ requestId, model, tokens, timing: { firstTokenMs: null, totalMs: null }, cost }];
  }

  #begun(frame: Frame, message: Fields, at: number): Request | null {
    const id = textIn(message, "id");
    const firstTokenMs = numberIn(frame, "ttft_ms");
    if (id === null) return null;
    return { id, model: textIn(message, "model") ?? "unknown", firstTokenMs, beganAt: at - (firstTokenMs ?? 0) };
  }

  #remember(id: string): void {
    this.#told.add(id);
    const [oldest] = this.#told;
    if (this.#told.size > remembered && oldest !== undefined) this.#told.delete(oldest);
  }
}

type Names = Readonly<Record<Exclude<keyof TokenUsage, "reasoning">, string>>;
const requestNames: Names = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheWrite: "cache_creation_input_tokens",
};
const modelNames: Names = {
  input: "inputTokens",
  output: "outputTokens",
  cacheRead: "cacheReadInputTokens",
  cacheWrite: "cacheCreationInputTokens",
};

/** The agent's figures leave the cache out of the input. */
function tokensOf(usage: Fields, names: Names): TokenUsage {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = [
    names.input,
    names.output,
    names.cacheRead,
    names.cacheWrite,
  ].map((name) => numberIn(usage, name) ?? 0);
  const reasoning = numberIn(usage["output_tokens_details"], "thinking_tokens") ?? numberIn(usage, "thinkingTokens");
  return { input: input + cacheRead + cacheWrite, output, reasoning: reasoning ?? 0, cacheRead, cacheWrite };
}

const each = (a: TokenUsage, b: TokenUsage, join: (a: number, b: number) => number): TokenUsage => ({
  input: join(a.input, b.input),
  output: join(a.output, b.output),
  reasoning: join(a.reasoning, b.reasoning),
  cacheRead: join(a.cacheRead, b.cacheRead),
  cacheWrite: join(a.cacheWrite, b.cacheWrite),
});
const sum = (a: TokenUsage, b: TokenUsage): TokenUsage => each(a, b, (x, y) => x + y);
const difference = (a: TokenUsage, b: TokenUsage): TokenUsage => each(a, b, (x, y) => Math.max(0, x - y));
