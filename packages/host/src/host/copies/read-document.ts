/**
 * The text of an exported session as a checked document. Invariants: whatever the text is, the answer is a document or
 * an error that names the field; ids are unique in their list and a message comes after its parent, so that its rows can
 * be stored in their order; between slices of rows others have their turn.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { MooringError, messageOf } from "../../protocol/errors.ts";
import type { DocumentHead, DocumentList, DocumentRow } from "../../protocol/export.schema.ts";
import type { SessionDocument } from "../../protocol/export.ts";
import { rowsAtOnce } from "./size-of-rows.ts";

/** Levels of lists and objects in one another: what is deeper overflows the stack of whoever writes it as JSON. */
const maxDepth = 500;

/** What `import` takes of a document. */
export type ImportedDocument = Pick<SessionDocument, DocumentList> & { readonly session: DocumentHead["session"] };

/** Rejects with `import-too-large` or `bad-export`. */
export async function readDocument(text: string, maxBytes: number): Promise<ImportedDocument> {
  const value = parsed(text, maxBytes);
  // With the first import: nothing else of the host needs schemas.
  const { envelope, rowSchema } = await import("../../protocol/export.schema.ts");
  const head = checked<DocumentHead>(envelope, value, []);
  const rowsOf = async <List extends DocumentList>(list: List): Promise<DocumentRow<List>[]> => {
    const rows: DocumentRow<List>[] = [];
    for (const [at, row] of head[list].entries()) {
      if (isDeeper(row, maxDepth)) throw bad([list, at], `it is nested more than ${maxDepth} levels deep`);
      rows.push(checked<DocumentRow<List>>(rowSchema(list, row), row, [list, at]));
      if (at % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    }
    return rows;
  };
  const document = {
    session: head.session,
    messages: await rowsOf("messages"),
    inputs: await rowsOf("inputs"),
    turns: await rowsOf("turns"),
    approvals: await rowsOf("approvals"),
    usage: await rowsOf("usage"),
  };
  checkTree(document);
  return document;
}

function parsed(text: string, maxBytes: number): unknown {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new MooringError("import-too-large", `The document has ${bytes} bytes; at most ${maxBytes} are taken.`, {
      detail: { bytes, maxBytes },
    });
  try {
    return JSON.parse(text, mayBeBroken.test(text) ? wellFormed : undefined);
  } catch (cause) {
    throw new MooringError("bad-export", `The document is not JSON: ${messageOf(cause)}`, { cause });
  }
}
/** Half of a pair, as itself or escaped: no store can carry it. */
const mayBeBroken = /\p{Surrogate}|\\u[dD][89a-fA-F]/u;
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** `T`: what the schema makes. */
function checked<T>(schema: z.ZodType, value: unknown, place: readonly PropertyKey[]): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as T;
  const [first] = error.issues;
  throw bad([...place, ...(first?.path ?? [])], first?.message ?? "it is not as it should be");
}
/** `messages[3].parts[0].text` */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((field, step) => {
    if (typeof step === "number") return `${field}[${step}]`;
    return field === "" ? String(step) : `${field}.${String(step)}`;
  }, "");
function bad(path: readonly PropertyKey[], why: string): MooringError {
  const field = fieldOf(path);
  return new MooringError(
    "bad-export",
    `This is not a session that can be imported. ${field === "" ? "The document" : field}: ${why}.`,
    { detail: { field } },
  );
}

// --- across rows --------------------------------------------------------------------------------------------------

function checkTree({ session, messages, inputs, turns, approvals }: ImportedDocument): void {
  const known = new Set<string>();
  for (const [at, { id, parentId }] of messages.entries()) {
    if (parentId !== null && !known.has(parentId))
      throw bad(["messages", at, "parentId"], "no message before it has this id");
    if (known.has(id)) throw bad(["messages", at, "id"], "a message before it has this id");
    known.add(id);
  }
  if (session.leaf !== null && !known.has(session.leaf)) throw bad(["session", "leaf"], "no message has this id");
  checkUnique("inputs", "id", inputs);
  checkUnique("turns", "id", turns);
  checkUnique("turns", "no", turns);
  checkUnique("approvals", "id", approvals);
}
function checkUnique<Field extends string>(
  list: DocumentList,
  field: Field,
  rows: readonly { readonly [Key in Field]: string | number }[],
): void {
  const known = new Set<string | number>();
  for (const [at, row] of rows.entries()) {
    if (known.has(row[field])) throw bad([list, at, field], "it is there twice");
    known.add(row[field]);
  }
}
