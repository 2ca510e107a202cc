/**
 * The agent's own frames, as far as they are read. Everything in them may be missing or of another type: a new version
 * may say anything, and nothing of it may throw. Only files of this folder import this.
 */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

export const textIn = (value: unknown, key: string): string | null => textOf(fieldsOf(value)[key]);
export const numberIn = (value: unknown, key: string): number | null => numberOf(fieldsOf(value)[key]);

export type Frame = Fields & { readonly type: string };
/** Null: no frame at all. */
export function frameOf(value: unknown): Frame | null {
  const fields = fieldsOf(value);
  const type = textOf(fields["type"]);
  return type === null ? null : { ...fields, type };
}

/** The tool call a sub-agent works under; null: the frame is of the main conversation. */
export const parentOf = (frame: Frame): string | null => textOf(frame["parent_tool_use_id"]);

export type Block = Fields & { readonly type: string };
/** The blocks of a message; its content may be plain text. */
export function blocksOf(message: unknown): readonly Block[] {
  const content = fieldsOf(message)["content"];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).map((block) => ({ ...fieldsOf(block), type: textIn(block, "type") ?? "" }));
}

/** The text of a block's content, or of a message: its text blocks, joined. */
export function joinedText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((block) => textIn(block, "text") ?? (textIn(block, "type") === "image" ? "[an image]" : ""))
    .filter((text) => text !== "")
    .join("\n");
}
