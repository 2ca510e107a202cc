/**
 * The beginning of a session that is not stored yet: what `setup` put in. Written with the session, in one transaction,
 * when it gets its first input.
 */
import { MooringError, systemClock, systemIds } from "../../index.ts";
import { type ExportedMessage, sessionFormat, sessionFormatVersion } from "../../protocol/export.ts";
import type { SessionDraft } from "../extensions/types.ts";
import { runtimeLimits } from "../limits.ts";
import type { UserContent } from "../session/agent-message.ts";
import { contentParts, customParts } from "../session/user-parts.ts";
import { blankRow } from "./blank-row.ts";

type Row = Pick<ExportedMessage, "kind" | "role" | "parts" | "metadata" | "label">;

export class Draft implements SessionDraft {
  readonly #rows: ExportedMessage[] = [];
  #leaf: string | null = null;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }
  get leaf(): string | null {
    return this.#leaf;
  }
  get rows(): readonly ExportedMessage[] {
    return this.#rows;
  }
  appendMessage({ role, content }: { readonly role: "user" | "assistant"; readonly content: UserContent }): string {
    return this.#append({ kind: "message", role, parts: [...contentParts(content)], metadata: null, label: null });
  }
  appendCustomEntry(customType: string, data?: unknown): string {
    const metadata = { customType, data: data ?? null };
    return this.#append({ kind: "entry", role: "system", parts: [], metadata, label: "custom" });
  }
  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): string {
    const parts = [...customParts({ customType, content, display, details })];
    return this.#append({ kind: "message", role: "user", parts, metadata: null, label: null });
  }
  /** Takes rows over as they are. `leaf`: the branch shown ends there. */
  take(rows: readonly ExportedMessage[], leaf: string | null): void {
    this.#rows.push(...rows);
    this.#leaf = leaf;
  }
  #append(row: Row): string {
    if (this.#rows.length >= runtimeLimits.draftEntries)
      throw new MooringError("draft-full", `A session begins with at most ${runtimeLimits.draftEntries} entries.`);
    const id = systemIds.make("msg");
    const at = systemClock.now();
    const parentId = this.#leaf;
    this.#rows.push({ ...blankRow, ...row, id, parentId, status: "completed", createdAt: at, closedAt: at });
    this.#leaf = id;
    return id;
  }
  /** As a document that `SessionHost.import` takes. */
  document(title: string | null): string {
    const session = { id: "draft", title, leaf: this.#leaf };
    return JSON.stringify({
      format: sessionFormat,
      version: sessionFormatVersion,
      session,
      messages: this.#rows,
      inputs: [],
      turns: [],
      approvals: [],
      usage: [],
    });
  }
}
